"""An item of QTI 2.1 marked by its own responseProcessing, in the words of the specification."""

from fractions import Fraction

from lxml import etree

QTI = {"q": "http://www.imsglobal.org/xsd/imsqti_v2p1"}


def local(node):
    return etree.QName(node).localname


class Marking:
    """What an item gives for answers by their identifiers: a score, and the feedback it shows."""

    def __init__(self, item, answers):
        self.item, self.answers = item, answers
        self.outcomes = {"SCORE": Fraction(0), "FEEDBACK": []}
        for condition in item.iterfind("q:responseProcessing/q:responseCondition", QTI):
            self.obey(condition)

    def obey(self, condition):
        """The first branch that holds."""
        for branch in condition:
            rules = list(branch)
            if local(branch) == "responseElse" or self.value(rules.pop(0)):
                for rule in rules:
                    assert local(rule) == "setOutcomeValue"
                    self.outcomes[rule.get("identifier")] = self.value(rule[0])
                return

    def value(self, node):
        return getattr(self, local(node))(node)

    def values(self, node):
        return [self.value(child) for child in node]

    def baseValue(self, node):
        return node.text if node.get("baseType") == "identifier" else Fraction(node.text)

    def variable(self, node):
        return {**self.answers, **self.outcomes}[node.get("identifier")]

    def gte(self, node):
        one, other = self.values(node)
        return None if one is None else one >= other

    def lte(self, node):
        one, other = self.values(node)
        return None if one is None else one <= other

    def isNull(self, node):
        return self.values(node) == [None]

    def sum(self, node):
        return sum(self.values(node))

    def multiple(self, node):
        before, more = self.values(node)
        return [*before, more]

    def mapResponse(self, node):
        found = self.item.iterfind(".//q:mapEntry", QTI)
        table = {x.get("mapKey"): Fraction(x.get("mappedValue")) for x in found}
        return table[self.answers[node.get("identifier")]]


setattr(Marking, "and", lambda self, node: all(self.values(node)))


def marked(item, answers):
    """The score, and the feedback in a list."""
    found = Marking(item, answers).outcomes
    feedback = found["FEEDBACK"]
    return found["SCORE"], feedback if isinstance(feedback, list) else [feedback]
