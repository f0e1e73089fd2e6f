"""The operations, one a file."""

from derive.ops.contributions import Contributions
from derive.ops.exponential import Exponential
from derive.ops.linear import Linear
from derive.ops.mask import Mask
from derive.ops.mix import Mix
from derive.ops.row_sums import RowSums
from derive.ops.scale import Scale
from derive.ops.scores import Scores
from derive.ops.softmax import Softmax
from derive.ops.transpose import Transpose

__all__ = [
    "Contributions",
    "Exponential",
    "Linear",
    "Mask",
    "Mix",
    "RowSums",
    "Scale",
    "Scores",
    "Softmax",
    "Transpose",
]
