"""Writes the reference of the Python package as Markdown, from its sources: reference.py FOLDER"""
import ast
import pathlib
import sys


def main(folder):
    package = pathlib.Path(folder) / "jspdl"
    trees = {file.stem: ast.parse(file.read_text(encoding="utf-8")) for file in sorted(package.glob("*.py"))}
    top = trees["__init__"]
    public = next(ast.literal_eval(node.value) for node in top.body if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    definitions = {}
    for tree in trees.values():
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                definitions.setdefault(node.name, node)
    print("# The Python package\n")
    print("What `jspdl` offers, from its documentation strings. [The how-to](../how-to/python.md) shows how to use it.\n")
    for name in sorted(public, key=lambda name: (name[0].isupper(), name)):
        node = definitions.get(name)
        if node is None:
            continue
        if isinstance(node, ast.ClassDef):
            describe_class(node)
        else:
            describe(node, "##", "jspdl." + name)


def describe_class(node):
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    print(f"## `{node.name}`\n")
    print(f"```python\nclass {node.name}{f'({bases})' if bases else ''}\n```\n")
    print_text(node)
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and not member.name.startswith("_") and ast.get_docstring(member):
            describe(member, "###", node.name + "." + member.name)


def describe(node, level, name):
    print(f"{level} `{name}`\n")
    arguments = ast.unparse(node.args)
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    shown = f"{name}({arguments}){result}"
    if len(shown) > 100:
        shown = f"{name}(\n    " + ",\n    ".join(split(node.args)) + f",\n){result}"
    print(f"```python\n{shown}\n```\n")
    print_text(node)


def split(arguments):
    """The arguments one by one, as they are written."""
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    yield from (written(*pair) for pair in zip(positional, defaults))
    if arguments.vararg:
        yield "*" + ast.unparse(arguments.vararg)
    elif arguments.kwonlyargs:
        yield "*"
    yield from (written(*pair) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults))
    if arguments.kwarg:
        yield "**" + ast.unparse(arguments.kwarg)


def written(argument, default):
    space = " = " if argument.annotation else "="
    return ast.unparse(argument) + (space + ast.unparse(default) if default is not None else "")


def print_text(node):
    text = ast.get_docstring(node)
    if text:
        print(f"```text\n{text}\n```\n")


main(sys.argv[1])
