"""The same test against the sync and the async client: a call is a function of the client."""

from __future__ import annotations

import asyncio
from typing import Any, Callable, List

from fraud_screening import AsyncClient, Attempt, Client, Runtime

KEY = "_".join(["sk", "test", "x"])


class Tried:
    def __init__(self, name: str, url: str, **options: Any) -> None:
        self.name = name
        self.waits: List[float] = []
        self.attempts: List[Attempt] = []
        runtime = Runtime(sleep=self.waits.append, random=lambda: 0.5)
        made = dict(base_url=url, api_key=KEY, runtime=runtime, on_attempt=self.attempts.append, **options)
        self._make = (lambda: Client(**made)) if name == "sync" else (lambda: AsyncClient(**made))

    def run(self, *calls: Callable[[Any], Any]) -> List[Any]:
        """The results of calls on one client; an error is a result, too."""
        if self.name == "sync":
            with self._make() as client:
                return [_ended(lambda: _collected(call(client))) for call in calls]
        return asyncio.run(self._run_async(calls))

    async def _run_async(self, calls: Any) -> List[Any]:
        results: List[Any] = []
        async with self._make() as client:
            for call in calls:
                try:
                    started = call(client)
                    is_walk = hasattr(started, "__aiter__")
                    results.append([each async for each in started] if is_walk else await started)
                except Exception as error:
                    results.append(error)
        return results


def _collected(result: Any) -> Any:
    return list(result) if hasattr(result, "__next__") else result


def _ended(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:
        return error


def both(url: str, **options: Any) -> List[Tried]:
    return [Tried("sync", url, **options), Tried("async", url, **options)]
