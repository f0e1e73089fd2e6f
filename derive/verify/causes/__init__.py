"""Known mistakes: each works an object out with one change, and may give what is printed."""

from derive.verify.causes.kinds import KINDS, SHARED, Cause

__all__ = ["KINDS", "SHARED", "Cause"]
