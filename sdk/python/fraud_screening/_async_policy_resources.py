from __future__ import annotations

from typing import TYPE_CHECKING, AsyncIterator, Optional

from . import _operations as ops
from . import _types as types
from ._call import path_of
from ._async_resources import _AsyncResource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import CallKeywords, ChangeKeywords, PostKeywords


class AsyncRules(_AsyncResource):
    async def put(self, name: str, request: types.PutRuleRequest, **options: Unpack[ChangeKeywords]) -> types.Rule:
        """Creates a rule or changes it; what you leave out has its default."""
        return await self._runner.run(ops.put(self._runner.sender, path_of("/v1/rules/{}", name), request, options))

    async def test(self, request: types.TestRuleRequest, **options: Unpack[CallKeywords]) -> types.RuleTest:
        """What a rule would have done to your own traffic; nothing is changed."""
        return await self._runner.run(ops.post(self._runner.sender, "/v1/rules/test", request, options))

    async def list(self, **options: Unpack[CallKeywords]) -> types.RuleList:
        return await self._runner.run(ops.get(self._runner.sender, "/v1/rules", options))

    async def get(self, name: str, **options: Unpack[CallKeywords]) -> types.Rule:
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/rules/{}", name), options))

    async def versions(self, name: str, **options: Unpack[CallKeywords]) -> types.RuleVersionList:
        """Every version of a rule, newest first."""
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/rules/{}/versions", name), options))

    async def delete(self, name: str, **options: Unpack[ChangeKeywords]) -> None:
        await self._runner.run(ops.delete(self._runner.sender, path_of("/v1/rules/{}", name), options))


class AsyncLists(_AsyncResource):
    async def put(self, name: str, request: types.PutListRequest, **options: Unpack[CallKeywords]) -> types.List:
        """Creates a list, or changes its effect and note."""
        return await self._runner.run(ops.put(self._runner.sender, path_of("/v1/lists/{}", name), request, options))

    async def list(self, **options: Unpack[CallKeywords]) -> types.Lists:
        return await self._runner.run(ops.get(self._runner.sender, "/v1/lists", options))

    async def get(self, name: str, **options: Unpack[CallKeywords]) -> types.List:
        return await self._runner.run(ops.get(self._runner.sender, path_of("/v1/lists/{}", name), options))

    async def delete(self, name: str, **options: Unpack[CallKeywords]) -> None:
        await self._runner.run(ops.delete(self._runner.sender, path_of("/v1/lists/{}", name), options))

    async def add_entries(
        self, name: str, request: types.AddListEntriesRequest, **options: Unpack[PostKeywords]
    ) -> types.AddedListEntries:
        """Adds up to 1,000 entries. Those that are rejected do not affect the others."""
        path = path_of("/v1/lists/{}/entries", name)
        return await self._runner.run(ops.post(self._runner.sender, path, request, options))

    async def entries(
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
        return await self._runner.run(ops.get(self._runner.sender, path, options, query))

    async def all_entries(self, name: str, **options: Unpack[CallKeywords]) -> AsyncIterator[types.ListEntry]:
        """Every entry, page by page as you ask for them."""
        walk = ops.CursorWalk(path_of("/v1/lists/{}/entries", name), "entries", {})
        while not walk.is_done:
            for each in await self._runner.run(walk.next_page(self._runner.sender, options)):
                yield each

    async def delete_entry(self, name: str, value: str, **options: Unpack[CallKeywords]) -> None:
        await self._runner.run(ops.delete(self._runner.sender, path_of("/v1/lists/{}/entries/{}", name, value), options))
