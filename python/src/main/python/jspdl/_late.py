"""What is to be done with libraries that a function or dataset imports only when it is called."""
import sys
from typing import Any, Callable, Dict, List, Optional

Told = Callable[[Any], None]


class Late:
    """Finds modules as all others on `sys.meta_path` do, and calls functions with those that are wanted as soon as they are there, before who imports them has
    them."""

    def __init__(self, wanted: Dict[str, Told]) -> None:
        self._wanted = wanted

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[Any]:
        told = self._wanted.get(name)
        if told is None:
            return None
        others: List[Any] = [finder for finder in sys.meta_path if finder is not self and hasattr(finder, "find_spec")]
        spec = next((found for finder in others if (found := finder.find_spec(name, path, target)) is not None), None)
        if spec is not None and spec.loader is not None:
            tell(spec.loader, name, told)
        return spec


def tell(loader: Any, name: str, told: Told) -> None:
    """Has a loader call `told` with the module of that name once it is executed."""
    execute = loader.exec_module

    def exec_module(module: Any) -> None:
        execute(module)
        if module.__name__ == name:     # one loader may be that of a whole archive
            told(module)

    setattr(loader, "exec_module", exec_module)


def follow(wanted: Dict[str, Told]) -> None:
    """Sees to modules that are imported from here on, in this process."""
    sys.meta_path.insert(0, Late(wanted))
