"""The async client. ``_client.py`` is made from this file: ``npm run sdk:types``."""

from __future__ import annotations

import asyncio
import ssl
from typing import Callable, Generic, Literal, NoReturn, Optional, TypeVar, overload

from ._async_resources import (
    AsyncAttributes,
    AsyncCases,
    AsyncCounters,
    AsyncDecisions,
    AsyncDeliveries,
    AsyncEvents,
    AsyncEventTypes,
    AsyncKeys,
    AsyncLists,
    AsyncOutcomes,
    AsyncOverviews,
    AsyncRules,
    AsyncTransactions,
    AsyncUsers,
    AsyncWebhookEndpoints,
    F,
)
from ._call import Operation, Send, Sender, StepResult
from ._fail_policy import FailPolicy, Fallback
from ._http import AsyncHttpPool
from ._options import (
    DEFAULT_ATTEMPT_TIMEOUT,
    DEFAULT_MAX_RETRIES,
    DEFAULT_TIMEOUT,
    Attempt,
    Limits,
    Runtime,
    checked_api_key,
    checked_base_url,
)

T = TypeVar("T")


class AsyncRunner:
    """Does what an operation asks for, step by step."""

    def __init__(self, sender: Sender, pool: AsyncHttpPool) -> None:
        self.sender = sender
        self._pool = pool

    async def run(self, operation: Operation[T]) -> T:
        result: StepResult = None
        try:
            step = next(operation)
            while True:
                if isinstance(step, Send):
                    try:
                        result = await self._pool.send(step.request, step.timeout)
                    except Exception as error:
                        result = error
                else:
                    await self._sleep(step.seconds)
                    result = None
                step = operation.send(result)
        except StopIteration as end:
            return end.value

    async def _sleep(self, seconds: float) -> None:
        if self.sender.runtime.sleep is not None:
            self.sender.runtime.sleep(seconds)
        else:
            await asyncio.sleep(seconds)


class AsyncClient(Generic[F]):
    """A client of one deployment, for one API key. It keeps nothing between calls but open connections: make one and
    share it.

    :param base_url: where your deployment answers, without ``/v1``: its ``ApiUrl``, or ``http://localhost:3000``
    :param api_key: ``sk_test_…`` or ``sk_live_…``. Keep it on servers: anyone who has it can read and resolve your cases.
    :param fail_policy: what a screening returns if no decision can be had in time
    :param timeout: seconds for the whole call, retries and waits included
    :param attempt_timeout: seconds for one try
    :param max_retries: tries after the first
    :param on_attempt: called after every try
    :param ssl_context: for a certificate authority of your own
    """

    @overload
    def __init__(
        self: AsyncClient[NoReturn],
        *,
        base_url: str,
        api_key: str,
        fail_policy: Literal["raise"] = "raise",
        timeout: float = DEFAULT_TIMEOUT,
        attempt_timeout: float = DEFAULT_ATTEMPT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        on_attempt: Optional[Callable[[Attempt], None]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
        runtime: Optional[Runtime] = None,
    ) -> None: ...

    @overload
    def __init__(
        self: AsyncClient[Fallback],
        *,
        base_url: str,
        api_key: str,
        fail_policy: Literal["allow", "review"],
        timeout: float = DEFAULT_TIMEOUT,
        attempt_timeout: float = DEFAULT_ATTEMPT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        on_attempt: Optional[Callable[[Attempt], None]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
        runtime: Optional[Runtime] = None,
    ) -> None: ...

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        fail_policy: FailPolicy = "raise",
        timeout: float = DEFAULT_TIMEOUT,
        attempt_timeout: float = DEFAULT_ATTEMPT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        on_attempt: Optional[Callable[[Attempt], None]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
        runtime: Optional[Runtime] = None,
    ) -> None:
        base = checked_base_url(base_url)
        limits = Limits(timeout, attempt_timeout, max_retries)
        sender = Sender(base, checked_api_key(api_key), limits, runtime or Runtime(), on_attempt)
        self._pool = AsyncHttpPool(base, ssl_context)
        runner = AsyncRunner(sender, self._pool)
        self.transactions: AsyncTransactions[F] = AsyncTransactions(runner, fail_policy)
        self.events: AsyncEvents[F] = AsyncEvents(runner, fail_policy)
        self.users = AsyncUsers(runner)
        self.decisions = AsyncDecisions(runner)
        self.cases = AsyncCases(runner)
        self.outcomes = AsyncOutcomes(runner)
        self.rules = AsyncRules(runner)
        self.attributes = AsyncAttributes(runner)
        self.event_types = AsyncEventTypes(runner)
        self.counters = AsyncCounters(runner)
        self.lists = AsyncLists(runner)
        self.overview = AsyncOverviews(runner)
        self.webhooks = AsyncWebhookEndpoints(runner)
        self.deliveries = AsyncDeliveries(runner)
        self.keys = AsyncKeys(runner)

    async def close(self) -> None:
        """Closes idle connections; the client can still be used."""
        await self._pool.close()

    async def __aenter__(self) -> AsyncClient[F]:
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self.close()
