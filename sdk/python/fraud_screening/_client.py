"""The sync client. Made from the async one by ``npm run sdk:types``: do not edit."""

from __future__ import annotations

import ssl
import time
from typing import Callable, Generic, Literal, NoReturn, Optional, TypeVar, overload

from ._resources import (
    Attributes,
    Cases,
    Counters,
    Decisions,
    Deliveries,
    Events,
    EventTypes,
    Keys,
    Lists,
    Outcomes,
    Overviews,
    Rules,
    Transactions,
    Users,
    WebhookEndpoints,
    F,
)
from ._call import Operation, Send, Sender, StepResult
from ._fail_policy import FailPolicy, Fallback
from ._http import HttpPool
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


class Runner:
    """Does what an operation asks for, step by step."""

    def __init__(self, sender: Sender, pool: HttpPool) -> None:
        self.sender = sender
        self._pool = pool

    def run(self, operation: Operation[T]) -> T:
        result: StepResult = None
        try:
            step = next(operation)
            while True:
                if isinstance(step, Send):
                    try:
                        result = self._pool.send(step.request, step.timeout)
                    except Exception as error:
                        result = error
                else:
                    self._sleep(step.seconds)
                    result = None
                step = operation.send(result)
        except StopIteration as end:
            return end.value

    def _sleep(self, seconds: float) -> None:
        if self.sender.runtime.sleep is not None:
            self.sender.runtime.sleep(seconds)
        else:
            time.sleep(seconds)


class Client(Generic[F]):
    """A client of one deployment, for one API key. It keeps nothing between calls but open connections: make one and
    share it, between threads too.

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
        self: Client[NoReturn],
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
        self: Client[Fallback],
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
        self._pool = HttpPool(base, ssl_context)
        runner = Runner(sender, self._pool)
        self.transactions: Transactions[F] = Transactions(runner, fail_policy)
        self.events: Events[F] = Events(runner, fail_policy)
        self.users = Users(runner)
        self.decisions = Decisions(runner)
        self.cases = Cases(runner)
        self.outcomes = Outcomes(runner)
        self.rules = Rules(runner)
        self.attributes = Attributes(runner)
        self.event_types = EventTypes(runner)
        self.counters = Counters(runner)
        self.lists = Lists(runner)
        self.overview = Overviews(runner)
        self.webhooks = WebhookEndpoints(runner)
        self.deliveries = Deliveries(runner)
        self.keys = Keys(runner)

    def close(self) -> None:
        """Closes idle connections; the client can still be used."""
        self._pool.close()

    def __enter__(self) -> Client[F]:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()
