"""No example in the documents uses a name that none before it on its page defines."""
import ast
import builtins
import glob
import os
import re
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), *[".."] * 4))
PAGES = ("README.md", "python/README.md", "docs/how-to/*.md", "docs/tutorial/*.md", "docs/*.md")
# The page says what it stands for.
STAND_INS = {"docs/how-to/from-pytorch.md": {"step"}, "docs/how-to/migrate.md": {"step"}}


def defined(node):
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return {node.id}
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, ast.arg):
        return {node.arg}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    return {node.name} if isinstance(node, ast.ExceptHandler) and node.name else set()


class NamesInDocuments(unittest.TestCase):
    def test_each_name_is_defined_on_its_page(self):
        unknown, examples = [], 0
        for page in sorted(path for pattern in PAGES for path in glob.glob(os.path.join(ROOT, pattern))):
            name = os.path.relpath(page, ROOT)
            known = set(dir(builtins)) | {"__name__"} | STAND_INS.get(name, set())
            with open(page, encoding="utf-8") as file:
                programs = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
            for program in programs:
                examples += 1
                nodes = list(ast.walk(ast.parse(program)))
                known |= set().union(*map(defined, nodes))
                unknown += [f"{name}: {node.id}" for node in nodes if isinstance(node, ast.Name) and node.id not in known]
        self.assertEqual([], unknown)
        self.assertGreater(examples, 20)


if __name__ == "__main__":
    unittest.main()
