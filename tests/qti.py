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
        """Of a list of values every one by itself, once; of a text whatever its capitals."""
        name = node.get("identifier")
        declared = next(x for x in self.item.iterfind("q:responseDeclaration", QTI)
                        if x.get("identifier") == name)  # fmt: skip
        table = {}
        for x in declared.iterfind(".//q:mapEntry", QTI):
            is_text = x.get("caseSensitive") == "false"
            key = x.get("mapKey").lower() if is_text else x.get("mapKey")
            table[key] = Fraction(x.get("mappedValue"))
        found = self.answers[name]
        values = set(found) if isinstance(found, list) else {found}
        lowered = declared.get("baseType") == "string"
        return sum(table.get(v.lower() if lowered else v, Fraction(0)) for v in values)


setattr(Marking, "not", lambda self, node: not self.value(node[0]))
setattr(Marking, "and", lambda self, node: all(self.values(node)))


def marked(item, answers):
    """The score, and the feedback in a list."""
    found = Marking(item, answers).outcomes
    feedback = found["FEEDBACK"]
    return found["SCORE"], feedback if isinstance(feedback, list) else [feedback]
