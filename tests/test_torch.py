"""The same heads as PyTorch computes them: figures made by tests/torch_figures.py."""

import json
from pathlib import Path

import numpy
import pytest

from derive import attention

FIGURES = json.loads((Path(__file__).parent / "figures" / "torch.json").read_text())


@pytest.mark.parametrize("head", FIGURES["heads"], ids=lambda h: f"{len(h['given']['H'])} tokens")
@pytest.mark.parametrize("step", ["A", "O"])
def test_doubles_agree_with_torch(head, step):
    d = attention(**head["given"], mask="causal" if head["causal"] else None)
    numpy.testing.assert_allclose(d.to_numpy(step), head[step], rtol=1e-13, atol=1e-15)
