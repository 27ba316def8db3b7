from __future__ import annotations

import unittest
from datetime import datetime, timezone
from typing import Any

from fraud_screening import AsyncClient, Client, FraudScreeningError
from fraud_screening._call import backoff, retry_after

from .both_clients import KEY, both
from .scripted_server import Answer, ScriptedServer, error

ANSWER = {"transaction_id": "txn_1", "decision": "allow", "risk_score": 3}
OK = Answer(200, ANSWER)
UNAVAILABLE = error(503, "unavailable")


def payment(client: Any) -> Any:
    return client.transactions.screen(user_id="u", amount=1, currency="EUR")


class Retries(unittest.TestCase):
    def test_tries_again_with_the_same_key_and_body(self) -> None:
        steps = {
            "429": error(429, "rate_limited"),
            "500": error(500, "internal_error"),
            "502 of a proxy": Answer(502, "<html>"),
            "504 without a body": Answer(504),
            "408": Answer(408),
            "a key that is still in use": error(409, "idempotency_in_progress"),
            "a connection that breaks": "reset",
            "an answer that breaks off": "half",
        }
        for name, step in steps.items():
            for at in range(2):
                with self.subTest(name), ScriptedServer(step, step, OK) as server:
                    tried = both(server.url)[at]
                    self.assertEqual(tried.run(payment), [ANSWER])
                    first, *others = [(seen.headers["idempotency-key"], seen.body) for seen in server.requests]
                    self.assertRegex(first[0], r"^[0-9a-f-]{36}$")
                    self.assertEqual(others, [first, first])
                    self.assertEqual([round(wait, 6) for wait in tried.waits], [0.1, 0.2])

    def test_a_try_without_an_answer_in_time(self) -> None:
        # Long enough for the second try to be answered in time, on a busy machine too.
        for at in range(2):
            with ScriptedServer("hang", OK) as server:
                tried = both(server.url, attempt_timeout=3)[at]
                self.assertEqual(tried.run(payment), [ANSWER])
                self.assertEqual([each.status for each in tried.attempts], [None, 200])

    def test_but_not_what_stays_wrong(self) -> None:
        for status, code in [(400, "invalid_request"), (401, "unauthorized"), (404, "not_found"), (422, "x")]:
            with ScriptedServer(error(status, code)) as server:
                for tried in both(server.url):
                    (failed,) = tried.run(payment)
                    found = (failed.status, failed.code, failed.request_id, failed.attempts, failed.retryable)
                    self.assertEqual(found, (status, code, "req-1", 1, False))

    def test_a_redirect_is_not_followed(self) -> None:
        with ScriptedServer(Answer(302, None, {"Location": "/elsewhere"})) as server:
            for tried in both(server.url):
                (failed,) = tried.run(lambda client: client.cases.get("case_1"))
                self.assertEqual((failed.code, failed.status), ("unexpected_answer", 302))

    def test_gives_up_before_a_wait_that_is_too_long(self) -> None:
        with ScriptedServer(error(429, "rate_limited", **{"Retry-After": "60"})) as server:
            for tried in both(server.url):
                (failed,) = tried.run(payment)
                self.assertEqual((failed.code, failed.attempts, tried.waits), ("rate_limited", 1, []))

    def test_retry_after(self) -> None:
        self.assertEqual(retry_after("3", 0), 3)
        self.assertEqual(retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 50), 10)
        for junk in (None, "", "-1", "soon", "1.5", "١"):
            self.assertIsNone(retry_after(junk, 0))
        self.assertEqual(backoff(1, 0.5, 2), 2.1)
        self.assertEqual(backoff(30, 1), 5)


class FailPolicies(unittest.TestCase):
    def test_goes_on_and_says_that_nothing_was_screened(self) -> None:
        for step in (UNAVAILABLE, error(429, "rate_limited"), "reset", Answer(504, "Gateway Timeout")):
            for at in range(2):
                with ScriptedServer(step) as server:
                    tried = both(server.url, fail_policy="review", max_retries=1)[at]
                    result, event = tried.run(
                        payment, lambda client: client.events.screen(user_id="u", event_type="login")
                    )
                    self.assertEqual((result["fallback"], result["decision"]), (True, "review"))
                    self.assertIsInstance(result["error"], FraudScreeningError)
                    self.assertEqual(result["idempotency_key"], server.requests[0].headers["idempotency-key"])
                    self.assertEqual(event["decision"], "review")

    def test_sends_the_trace_of_the_caller(self) -> None:
        trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        with ScriptedServer(Answer(200, {})) as server:
            for tried in both(server.url):
                tried.run(
                    lambda client: client.transactions.screen(
                        user_id="u", amount=1, currency="EUR", traceparent=trace
                    ),
                    lambda client: client.cases.get("case_1", traceparent=trace),
                    payment,
                )
                sent = [request.headers.get("traceparent") for request in server.requests[-3:]]
                self.assertEqual(sent, [trace, trace, None])
                self.assertNotIn("traceparent", server.requests[-3].body)

    def test_never_hides_a_mistake_of_the_callers(self) -> None:
        with ScriptedServer(error(401, "unauthorized")) as server:
            for tried in both(server.url, fail_policy="allow"):
                self.assertEqual(tried.run(payment)[0].code, "unauthorized")

    def test_is_to_raise_where_none_was_chosen_and_a_call_may_choose_its_own(self) -> None:
        with ScriptedServer(UNAVAILABLE) as server:
            for tried in both(server.url, max_retries=0):
                raised, chosen = tried.run(
                    payment,
                    lambda client: client.transactions.screen(
                        user_id="u", amount=1, currency="EUR", fail_policy="allow", idempotency_key="order-1"
                    ),
                )
                self.assertEqual(raised.code, "unavailable")
                self.assertEqual((chosen["decision"], chosen["idempotency_key"]), ("allow", "order-1"))


class LostAnswers(unittest.TestCase):
    RESOLVED = {"case_id": "case_1", "status": "rejected", "resolved_by": "ann", "notes": None}
    CLOSED = error(409, "case_not_open")

    def resolve(self, found: Any, at: int) -> Any:
        with ScriptedServer("reset", self.CLOSED, Answer(200, found)) as server:
            return both(server.url)[at].run(
                lambda client: client.cases.resolve("case_1", {"status": "rejected", "analyst_id": "ann"})
            )[0]

    def test_the_case_was_resolved_by_an_earlier_try(self) -> None:
        for at in range(2):
            self.assertEqual(self.resolve(self.RESOLVED, at), self.RESOLVED)
            for other in ({"resolved_by": "bob"}, {"status": "approved"}, {"notes": "seen it"}):
                self.assertEqual(self.resolve({**self.RESOLVED, **other}, at).code, "case_not_open")

    def test_the_endpoint_was_deleted_by_an_earlier_try(self) -> None:
        for at in range(2):
            with ScriptedServer("reset", error(404, "not_found")) as server:
                self.assertEqual(both(server.url)[at].run(lambda client: client.webhooks.delete("wh_1")), [None])
            with ScriptedServer(error(404, "not_found")) as server:
                (failed,) = both(server.url)[at].run(lambda client: client.webhooks.delete("wh_1"))
                self.assertEqual(failed.code, "not_found")


class Requests(unittest.TestCase):
    def test_pin_the_version_and_carry_the_key(self) -> None:
        with ScriptedServer(Answer(200, {})) as server:
            for tried in both(server.url):
                tried.run(lambda client: client.users.risk_profile("a/b ü%?#"))
                seen = server.requests[-1]
                self.assertEqual((seen.method, seen.body), ("GET", ""))
                self.assertEqual(seen.path, "/v1/users/a%2Fb%20%C3%BC%25%3F%23/risk-profile")
                self.assertEqual(seen.headers["authorization"], f"Bearer {KEY}")
                self.assertEqual(seen.headers["x-api-version"], "2026-11-14")
                self.assertTrue({"idempotency-key", "content-type"}.isdisjoint(seen.headers))

    def test_have_dates_as_iso_8601_and_leave_out_what_is_none(self) -> None:
        with ScriptedServer(Answer(200, {"cases": [], "has_more": False})) as server:
            for tried in both(server.url):
                start = datetime(2026, 11, 14, tzinfo=timezone.utc)
                tried.run(lambda client: client.cases.list(status="open", limit=5, start_date=start, end_date="2026-11-15"))
                self.assertEqual(
                    server.requests[-1].path,
                    "/v1/cases?status=open&limit=5&start_date=2026-11-14T00%3A00%3A00.000Z&end_date=2026-11-15",
                )
                tried.run(lambda client: client.transactions.screen(user_id="u", amount=1, currency="EUR", ip_address=None))
                self.assertEqual(server.requests[-1].body, '{"user_id": "u", "amount": 1, "currency": "EUR"}')

    def test_reuse_a_connection_and_read_chunks(self) -> None:
        for at in range(2):
            with ScriptedServer(Answer(200, ANSWER, {"Transfer-Encoding": "chunked"}), OK) as server:
                self.assertEqual(both(server.url)[at].run(payment, payment), [ANSWER, ANSWER])
                self.assertEqual(server.connections, 1)

    def test_never_go_out_for_an_id_that_would_be_another_route(self) -> None:
        with ScriptedServer(OK) as server:
            for tried in both(server.url):
                for id in ("", ".", ".."):
                    self.assertIsInstance(tried.run(lambda client: client.users.risk_profile(id))[0], ValueError)
            self.assertEqual(server.requests, [])

    def test_errors_name_every_fault_once(self) -> None:
        details = [{"field": "amount", "message": "must be > 0"}, {"field": "currency", "message": "is required"}]
        fault = {"code": "invalid_request", "message": "amount: must be > 0 (and 1 more, see details)", "details": details}
        with ScriptedServer(Answer(400, {"error": fault})) as server:
            for tried in both(server.url):
                (failed,) = tried.run(payment)
                self.assertEqual(str(failed), "amount: must be > 0 (and 1 more, see details); currency: is required")
                self.assertEqual(list(failed.details), details)


class Walks(unittest.TestCase):
    def test_deliveries_once_each(self) -> None:
        def page(ids: str, has_more: bool) -> Answer:
            return Answer(200, {"deliveries": [{"delivery_id": id} for id in ids], "has_more": has_more})

        for at in range(2):
            with ScriptedServer(page("dc", True), page("cb", True), page("a", False)) as server:
                (walked,) = both(server.url)[at].run(lambda client: client.deliveries.all("wh_1", limit=2))
                self.assertEqual([each["delivery_id"] for each in walked], ["d", "c", "b", "a"])
                offsets = [seen.path.split("offset=")[1] for seen in server.requests]
                self.assertEqual(offsets, ["0", "2", "4"])

    def test_cases_by_time_past_a_page_of_one_millisecond(self) -> None:
        def page(rows: str, has_more: bool) -> Answer:
            cases = [{"case_id": row, "created_at": f"2026-11-14T00:00:00.00{row[0]}Z"} for row in rows.split()]
            return Answer(200, {"cases": cases, "has_more": has_more})

        pages = [page("3a 2a", True), page("2a 2b", True), page("2a 2b", True), page("1a", False)]
        for at in range(2):
            with ScriptedServer(*pages) as server:
                (walked,) = both(server.url)[at].run(lambda client: client.cases.all(status="open", limit=2))
                self.assertEqual([each["case_id"] for each in walked], ["3a", "2a", "2b", "1a"])
                self.assertIn("end_date=2026-11-14T00%3A00%3A00.003Z", server.requests[1].path)
                self.assertTrue(server.requests[3].path.endswith("offset=2"))


class Options(unittest.TestCase):
    def test_mistakes_are_refused_at_once(self) -> None:
        for base_url, message in [
            ("", "empty"),
            ("http://api.example.com", "https"),
            ("api.example.com", "https"),
            ("https://api.example.com/v1/", "/v1"),
            ("https://api.example.com/?a=1", "query"),
        ]:
            for make in (Client, AsyncClient):
                with self.assertRaisesRegex(ValueError, message):
                    make(base_url=base_url, api_key=KEY)
        for api_key in ("", f"{KEY}\nX: y", "bearer"):
            with self.assertRaisesRegex(ValueError, "api_key"):
                Client(base_url="https://api.example.com", api_key=api_key)

    def test_the_key_is_in_nothing_that_a_log_would_print(self) -> None:
        client = Client(base_url="https://api.example.com", api_key=KEY)
        shown = repr(client) + repr(vars(client)) + repr(vars(client.cases)) + repr(client.cases._runner.sender)
        self.assertNotIn(KEY, shown)
