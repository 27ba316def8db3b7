from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from . import _operations as ops
from . import _types as types
from ._call import path_of
from ._resources import _Resource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import CallKeywords, ChangeKeywords, PostKeywords


class Rules(_Resource):
    def put(self, name: str, request: types.PutRuleRequest, **options: Unpack[ChangeKeywords]) -> types.Rule:
        """Creates a rule or changes it; what you leave out has its default."""
        return self._runner.run(ops.put(self._runner.sender, path_of("/v1/rules/{}", name), request, options))

    def test(self, request: types.TestRuleRequest, **options: Unpack[CallKeywords]) -> types.RuleTest:
        """What a rule would have done to your own traffic; nothing is changed."""
        return self._runner.run(ops.post(self._runner.sender, "/v1/rules/test", request, options))

    def list(self, **options: Unpack[CallKeywords]) -> types.RuleList:
        return self._runner.run(ops.get(self._runner.sender, "/v1/rules", options))

    def get(self, name: str, **options: Unpack[CallKeywords]) -> types.Rule:
        return self._runner.run(ops.get(self._runner.sender, path_of("/v1/rules/{}", name), options))

    def versions(self, name: str, **options: Unpack[CallKeywords]) -> types.RuleVersionList:
        """Every version of a rule, newest first."""
        return self._runner.run(ops.get(self._runner.sender, path_of("/v1/rules/{}/versions", name), options))

    def delete(self, name: str, **options: Unpack[ChangeKeywords]) -> None:
        self._runner.run(ops.delete(self._runner.sender, path_of("/v1/rules/{}", name), options))


class Lists(_Resource):
    def put(self, name: str, request: types.PutListRequest, **options: Unpack[CallKeywords]) -> types.List:
        """Creates a list, or changes its effect and note."""
        return self._runner.run(ops.put(self._runner.sender, path_of("/v1/lists/{}", name), request, options))

    def list(self, **options: Unpack[CallKeywords]) -> types.Lists:
        return self._runner.run(ops.get(self._runner.sender, "/v1/lists", options))

    def get(self, name: str, **options: Unpack[CallKeywords]) -> types.List:
        return self._runner.run(ops.get(self._runner.sender, path_of("/v1/lists/{}", name), options))

    def delete(self, name: str, **options: Unpack[CallKeywords]) -> None:
        self._runner.run(ops.delete(self._runner.sender, path_of("/v1/lists/{}", name), options))

    def add_entries(
        self, name: str, request: types.AddListEntriesRequest, **options: Unpack[PostKeywords]
    ) -> types.AddedListEntries:
        """Adds up to 1,000 entries. Those that are rejected do not affect the others."""
        path = path_of("/v1/lists/{}/entries", name)
        return self._runner.run(ops.post(self._runner.sender, path, request, options))

    def entries(
        self,
        name: str,
        *,
        value: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[CallKeywords],
    ) -> types.ListEntryPage:
        """One page of entries; with ``value``, only the entry that stands for it."""
        path = path_of("/v1/lists/{}/entries", name)
        query = dict(value=value, limit=limit, cursor=cursor)
        return self._runner.run(ops.get(self._runner.sender, path, options, query))

    def all_entries(self, name: str, **options: Unpack[CallKeywords]) -> Iterator[types.ListEntry]:
        """Every entry, page by page as you ask for them."""
        walk = ops.CursorWalk(path_of("/v1/lists/{}/entries", name), "entries", {})
        while not walk.is_done:
            for each in self._runner.run(walk.next_page(self._runner.sender, options)):
                yield each

    def delete_entry(self, name: str, value: str, **options: Unpack[CallKeywords]) -> None:
        self._runner.run(ops.delete(self._runner.sender, path_of("/v1/lists/{}/entries/{}", name, value), options))
