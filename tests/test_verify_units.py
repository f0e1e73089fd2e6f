"""Units in equations: 2 * 32 * 32 * 128 * 2 = 524288, 3 + 4 = 7 and 12 * 64 = 768, in one unit."""

import pytest

from derive import verify


def verdict(text):
    """The verdict on the last number."""
    return verify(text, "a.md").claims[-1].verdict


ONE = [
    ("2 × 32 × 32 × 128 × 2 bytes = {} bytes", "524,288", "524,228"),
    ("2 × 32 × 32 × 128 × 2 = {} bytes", "524,288", "524,228"),
    ("4 × 512 × 512 params = {}", "1,048,576", "1,048,567"),
    ("Im Ganzen 4 × 512 Parameter = {} Parameter", "2048", "2084"),
    ("3 MB + 4 MB = {} MB", "7", "8"),
    ("12 heads × 64 dims = {} dims", "768", "786"),
    (r"$2 \times 4096\,\text{bytes} = @\,\text{bytes}$", "8192", "8190"),
]


@pytest.mark.parametrize(("text", "right", "wrong"), ONE)
def test_a_unit_does_not_hinder(text, right, wrong):

    for number, expected in ((right, "correct"), (wrong, "wrong")):
        assert verdict(text.replace("{}", number).replace("@", number)) == expected


OTHERS = [
    "2 × 4096 × 4096 bytes = 32 MiB",
    "1024 × 4 = 5 kB",
    "7 × 10^9 × 2 bytes = 14 GB",
    "8 bits × 4 = 4 bytes",
    "2 GB × 1024 = 2048 MB",
    "4096 × 2 octets = 8 Kio",
    "1024 × 8 байт = 8 КБ",
    "512 × 1024 ≈ 0.7 M parameters",
]


@pytest.mark.parametrize("text", OTHERS)
def test_another_unit_is_not_wrong(text):
    assert verdict(text) in ("unchecked", "correct")


@pytest.mark.parametrize("text", ["1024 × 4 = 4 kB", "512 × 1024 ≈ 0.5 M parameters"])
def test_a_result_that_is_right_in_another_unit_is_right(text):  # 4096 bytes; 524288
    assert verdict(text) == "correct"
