"""Letters of scripts, as ranges, of which words are made that are no signs of quantities."""

from __future__ import annotations

ACCENTED = "À-ÖØ-öø-ʯ\u0300-\u036fḀ-ỿ"
"""Letters of which a word is made that is no name of a quantity."""
VOWELS = (
    "\u064b-\u0655\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963"
    "\u0981-\u0983\u09bc\u09be-\u09cd\u0bbe-\u0bcd\u0c3e-\u0c4d\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
)
"""Signs of vowels, which are no letters by themselves: Hindi, Bengali, Tamil, Thai, Arabic."""
