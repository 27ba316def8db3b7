"""What each method of a client does, as calls; the sync and the async client run the same."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any, Dict, List, Mapping, Set, Tuple, cast

from ._call import Call, CallOptions, Operation, Sender, path_of
from ._errors import FraudScreeningError
from ._types import Case, CaseList, Delivery, DeliveryList

PAGE = 100


def get(sender: Sender, path: str, options: Mapping[str, Any], query: Mapping[str, Any] = {}) -> Operation[Any]:
    return sender.send(Call("GET", path, query=query, options=CallOptions(**options)))


def post(
    sender: Sender, path: str, body: Any, options: Mapping[str, Any], query: Mapping[str, Any] = {}
) -> Operation[Any]:
    return sender.send(Call("POST", path, query=query, body=body, options=CallOptions(**options)))


def put(sender: Sender, path: str, body: Any, options: Mapping[str, Any]) -> Operation[Any]:
    limits, headers = _change_parts(options)
    return sender.send(Call("PUT", path, body=body, options=limits, headers=headers))


def send_delete(sender: Sender, path: str, options: Mapping[str, Any], query: Mapping[str, Any] = {}) -> Operation[Any]:
    limits, headers = _change_parts(options)
    return sender.send(Call("DELETE", path, query=query, options=limits, headers=headers))


def delete(sender: Sender, path: str, options: Mapping[str, Any]) -> Operation[None]:
    try:
        yield from send_delete(sender, path, options)
    except FraudScreeningError as error:
        # An earlier try has deleted it and its answer was lost.
        if error.code != "not_found" or error.attempts == 1:
            raise


def _change_parts(options: Mapping[str, Any]) -> Tuple[CallOptions, Dict[str, str]]:
    """The limits of a call, and the version that the caller saw as a header."""
    limits = {name: value for name, value in options.items() if name != "if_version"}
    version = options.get("if_version")
    return CallOptions(**limits), {} if version is None else {"If-Match": f'"{version}"'}


def given(members: Mapping[str, Any]) -> Dict[str, Any]:
    """Without what is None: it was not given."""
    return {name: value for name, value in members.items() if value is not None}


def resolve_case(sender: Sender, case_id: str, asked: Mapping[str, Any], options: Mapping[str, Any]) -> Operation[Case]:
    path = path_of("/v1/cases/{}", case_id)
    try:
        return (yield from sender.send(Call("PUT", path, body=asked, options=CallOptions(**options))))
    except FraudScreeningError as error:
        if error.code != "case_not_open" or error.attempts == 1:
            raise
        # An earlier try may have worked and its answer been lost: then the case is closed just as we asked.
        found: Case = yield from get(sender, path, options)
        is_ours = (
            found["status"] == asked.get("status")
            and found["resolved_by"] == asked.get("analyst_id")
            and found["notes"] == asked.get("notes")
        )
        if not is_ours:
            raise
        return found


class CaseWalk:
    """Every case that matches, newest first. It goes by time, not by offset: a case that leaves the selection on the way
    hides no other, and none comes twice."""

    def __init__(self, query: Mapping[str, Any]) -> None:
        self._query = {"limit": PAGE, **given(query)}
        self._end: Any = self._query.get("end_date")
        self._offset = 0
        self._given: Set[str] = set()
        self.is_done = False

    def next_page(self, sender: Sender, options: Mapping[str, Any]) -> Operation[List[Case]]:
        query = {**self._query, "end_date": self._end, "offset": self._offset}
        page = cast(CaseList, (yield from get(sender, "/v1/cases", options, query)))
        fresh = [each for each in page["cases"] if each["case_id"] not in self._given]
        if not page["has_more"] or not page["cases"]:
            self.is_done = True
            return fresh
        oldest = page["cases"][-1]["created_at"]
        after = _millisecond_after(oldest)
        # A page full of one millisecond: only an offset leads past it. What was yielded may have left the selection and
        # moved the others up, so the offset starts again until a page holds nothing new.
        if after == self._end:
            self._offset = 0 if fresh else self._offset + len(page["cases"])
        else:
            self._end, self._offset, self._given = after, 0, set()
        self._given.update(each["case_id"] for each in page["cases"] if each["created_at"] == oldest)
        return fresh


class DeliveryWalk:
    """Every delivery, newest first; none comes twice, although new ones are made meanwhile."""

    def __init__(self, webhook_id: str, query: Mapping[str, Any]) -> None:
        self._path = path_of("/v1/webhooks/{}/deliveries", webhook_id)
        self._query = {"limit": PAGE, **given(query)}
        self._offset = 0
        self._given: Set[str] = set()
        self.is_done = False

    def next_page(self, sender: Sender, options: Mapping[str, Any]) -> Operation[List[Delivery]]:
        page = cast(
            DeliveryList, (yield from get(sender, self._path, options, {**self._query, "offset": self._offset}))
        )
        fresh = [each for each in page["deliveries"] if each["delivery_id"] not in self._given]
        self._given.update(each["delivery_id"] for each in fresh)
        self._offset += len(page["deliveries"])
        self.is_done = not page["has_more"]
        return fresh


class CursorWalk:
    """Everything that a route has, page by page: each page says where the next one begins."""

    def __init__(self, path: str, member: str, query: Mapping[str, Any]) -> None:
        self._path = path
        self._member = member
        self._query = {"limit": PAGE, **given(query)}
        self._cursor: Any = None
        self.is_done = False

    def next_page(self, sender: Sender, options: Mapping[str, Any]) -> Operation[List[Any]]:
        page = yield from get(sender, self._path, options, {**self._query, "cursor": self._cursor})
        self._cursor = page["next_cursor"]
        self.is_done = self._cursor is None
        return cast(List[Any], page[self._member])


def screen_parts(request: Mapping[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """What goes to the API, and the limits of the call."""
    limits = ("timeout", "attempt_timeout", "max_retries", "idempotency_key", "traceparent")
    body = given({name: value for name, value in request.items() if name not in limits})
    return body, given({name: request.get(name) for name in limits})


def _millisecond_after(instant: str) -> str:
    at = datetime.fromisoformat(instant.replace("Z", "+00:00")) + timedelta(milliseconds=1)
    return at.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
