"""The operations, one a file."""

from derive.ops.affine import Affine
from derive.ops.alibi import Alibi
from derive.ops.column_sums import ColumnSums
from derive.ops.columns import Columns
from derive.ops.concat import Concat
from derive.ops.contributions import Contributions
from derive.ops.cross_entropy import CrossEntropy
from derive.ops.deviation import Deviation
from derive.ops.divide_rows import DivideRows
from derive.ops.embed import Embed
from derive.ops.exponential import Exponential
from derive.ops.gain import Gain
from derive.ops.gate import Gate
from derive.ops.gelu import Gelu
from derive.ops.lifted_deviation import LiftedDeviation
from derive.ops.linear import Linear
from derive.ops.mask import Mask
from derive.ops.mean import Mean
from derive.ops.mean_squares import MeanSquares
from derive.ops.mix import Mix
from derive.ops.normalize import Normalize
from derive.ops.relu import Relu
from derive.ops.residual import Residual
from derive.ops.rotate import Rotate
from derive.ops.row_means import RowMeans
from derive.ops.row_sums import RowSums
from derive.ops.rows import Rows
from derive.ops.scale import Scale
from derive.ops.scale_columns import ScaleColumns
from derive.ops.scores import Scores
from derive.ops.silu import Silu
from derive.ops.sinusoid import Sinusoid
from derive.ops.softmax import Softmax
from derive.ops.squared_error import SquaredError
from derive.ops.temper import Temper
from derive.ops.transpose import Transpose
from derive.ops.variance import Variance

__all__ = [
    "Affine",
    "Alibi",
    "ColumnSums",
    "Columns",
    "Concat",
    "Contributions",
    "CrossEntropy",
    "Deviation",
    "DivideRows",
    "Embed",
    "Exponential",
    "Gain",
    "Gate",
    "Gelu",
    "LiftedDeviation",
    "Linear",
    "Mask",
    "Mean",
    "MeanSquares",
    "Mix",
    "Normalize",
    "Relu",
    "Residual",
    "Rotate",
    "RowMeans",
    "RowSums",
    "Rows",
    "Scale",
    "ScaleColumns",
    "Scores",
    "Silu",
    "Sinusoid",
    "Softmax",
    "SquaredError",
    "Temper",
    "Transpose",
    "Variance",
]
