"""Every method that only sends one request: which one, of both clients."""

from __future__ import annotations

import json
import re
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

from fraud_screening import Client

from .both_clients import KEY, both
from .scripted_server import Answer, ScriptedServer, error

Call = Callable[[Any], Any]

NUMBER = {"type": "number"}
COUNTER = {"of": ["bet"], "count": "attempts", "by": ["user_id"], "window": "1h"}
RULE = {"expression": "amount > 500", "action": "review"}
ENTRIES = {"entries": [{"value": "ann", "reason": "stolen card"}]}
OUTCOME = {"reference": "pi_1", "type": "chargeback", "source_id": "dp_1", "occurred_at": "2026-11-14T00:00:00Z"}

#: What a method is given, and the request that it makes: method, path and body.
ROUTES: Dict[str, Tuple[Call, str, str, Any]] = {
    "rules.put": (lambda c: c.rules.put("a rule", RULE), "PUT", "/v1/rules/a%20rule", RULE),
    "rules.test": (lambda c: c.rules.test(RULE), "POST", "/v1/rules/test", RULE),
    "rules.list": (lambda c: c.rules.list(), "GET", "/v1/rules", None),
    "rules.get": (lambda c: c.rules.get("r"), "GET", "/v1/rules/r", None),
    "rules.versions": (lambda c: c.rules.versions("r"), "GET", "/v1/rules/r/versions", None),
    "rules.delete": (lambda c: c.rules.delete("r"), "DELETE", "/v1/rules/r", None),
    "attributes.put": (lambda c: c.attributes.put("items", NUMBER), "PUT", "/v1/attributes/items", NUMBER),
    "attributes.list": (lambda c: c.attributes.list(), "GET", "/v1/attributes", None),
    "attributes.delete": (lambda c: c.attributes.delete("a key"), "DELETE", "/v1/attributes/a%20key", None),
    "event_types.put": (lambda c: c.event_types.put("bet", {}), "PUT", "/v1/event-types/bet", {}),
    "event_types.list": (lambda c: c.event_types.list(), "GET", "/v1/event-types", None),
    "event_types.delete": (lambda c: c.event_types.delete("bet"), "DELETE", "/v1/event-types/bet", None),
    "counters.put": (lambda c: c.counters.put("bets", COUNTER), "PUT", "/v1/counters/bets", COUNTER),
    "counters.list": (lambda c: c.counters.list(), "GET", "/v1/counters", None),
    "counters.get": (lambda c: c.counters.get("bets"), "GET", "/v1/counters/bets", None),
    "counters.delete": (lambda c: c.counters.delete("bets"), "DELETE", "/v1/counters/bets", None),
    "lists.put": (
        lambda c: c.lists.put("vip", {"type": "user_id", "effect": "allow"}),
        "PUT",
        "/v1/lists/vip",
        {"type": "user_id", "effect": "allow"},
    ),
    "lists.list": (lambda c: c.lists.list(), "GET", "/v1/lists", None),
    "lists.get": (lambda c: c.lists.get("vip"), "GET", "/v1/lists/vip", None),
    "lists.delete": (lambda c: c.lists.delete("vip"), "DELETE", "/v1/lists/vip", None),
    "lists.add_entries": (lambda c: c.lists.add_entries("vip", ENTRIES), "POST", "/v1/lists/vip/entries", ENTRIES),
    "lists.entries": (
        lambda c: c.lists.entries("vip", value="a+b@x.org", limit=5),
        "GET",
        "/v1/lists/vip/entries?value=a%2Bb%40x.org&limit=5",
        None,
    ),
    "lists.delete_entry": (
        lambda c: c.lists.delete_entry("nets", "10.0.0.0/8"),
        "DELETE",
        "/v1/lists/nets/entries/10.0.0.0%2F8",
        None,
    ),
    "outcomes.record": (lambda c: c.outcomes.record(OUTCOME), "POST", "/v1/outcomes", OUTCOME),
    "transactions.add_references": (
        lambda c: c.transactions.add_references("txn_1", {"references": ["pi_1"]}),
        "POST",
        "/v1/transactions/txn_1/references",
        {"references": ["pi_1"]},
    ),
    "keys.me": (lambda c: c.keys.me(), "GET", "/v1/me", None),
    "keys.list": (lambda c: c.keys.list(), "GET", "/v1/keys", None),
    "users.links": (lambda c: c.users.links("u"), "GET", "/v1/users/u/links", None),
    "users.export": (lambda c: c.users.export("u", cursor="next"), "POST", "/v1/users/u/export?cursor=next", None),
    "users.erase": (lambda c: c.users.erase("u"), "DELETE", "/v1/users/u", None),
    "users.erase_everything": (
        lambda c: c.users.erase("u", everything=True),
        "DELETE",
        "/v1/users/u?everything=true",
        None,
    ),
    "users.erasure": (lambda c: c.users.erasure("ers_1"), "GET", "/v1/erasures/ers_1", None),
    "users.forget_labels": (
        lambda c: c.users.forget_labels("u", "card was stolen"),
        "POST",
        "/v1/users/u/forget-labels",
        {"reason": "card was stolen"},
    ),
    "decisions.list": (
        lambda c: c.decisions.list(user_id="u", decision="block", limit=2, cursor="x"),
        "GET",
        "/v1/decisions?user_id=u&decision=block&limit=2&cursor=x",
        None,
    ),
    "cases.search": (
        lambda c: c.cases.search(user_id="u", min_score=60, sort="score"),
        "GET",
        "/v1/cases?user_id=u&min_score=60&sort=score",
        None,
    ),
    "cases.claim": (
        lambda c: c.cases.claim("case_1", {"analyst_id": "ana"}),
        "POST",
        "/v1/cases/case_1/claim",
        {"analyst_id": "ana"},
    ),
    "cases.release": (
        lambda c: c.cases.release("case_1", analyst_id="ana"),
        "DELETE",
        "/v1/cases/case_1/claim?analyst_id=ana",
        None,
    ),
    "cases.comment": (
        lambda c: c.cases.comment("case_1", {"text": "called them"}),
        "POST",
        "/v1/cases/case_1/comments",
        {"text": "called them"},
    ),
    "cases.timeline": (lambda c: c.cases.timeline("case_1"), "GET", "/v1/cases/case_1/timeline", None),
    "cases.resolve_all": (
        lambda c: c.cases.resolve_all({"case_ids": ["case_1"], "status": "rejected"}),
        "POST",
        "/v1/cases/resolve",
        {"case_ids": ["case_1"], "status": "rejected"},
    ),
}


class Routes(unittest.TestCase):
    def test_each_method_sends_its_request(self) -> None:
        with ScriptedServer(Answer(200, {})) as server:
            for tried in both(server.url):
                for name, (call, method, path, body) in ROUTES.items():
                    with self.subTest(name, client=tried.name):
                        (result,) = tried.run(call)
                        self.assertNotIsInstance(result, Exception)
                        seen = server.requests[-1]
                        self.assertEqual((seen.method, seen.path), (method, path))
                        self.assertEqual(json.loads(seen.body) if seen.body else None, body)
                        self.assertEqual("idempotency-key" in seen.headers, method == "POST")
                        self.assertNotIn("if-match", seen.headers)

    def test_a_change_names_the_version_that_was_seen(self) -> None:
        calls: List[Call] = [
            lambda c: c.rules.put("r", RULE, if_version=3),
            lambda c: c.rules.delete("r", if_version=3),
        ]
        with ScriptedServer(Answer(200, {})) as server:
            for tried in both(server.url):
                tried.run(*calls)
                self.assertEqual([seen.headers["if-match"] for seen in server.requests[-2:]], ['"3"', '"3"'])

    def test_what_an_earlier_try_deleted_is_deleted(self) -> None:
        calls: List[Call] = [
            lambda c: c.rules.delete("r"),
            lambda c: c.lists.delete("vip"),
            lambda c: c.lists.delete_entry("vip", "ann"),
        ]
        for call in calls:
            for at in range(2):
                with ScriptedServer("reset", error(404, "not_found")) as server:
                    self.assertEqual(both(server.url)[at].run(call), [None])
                with ScriptedServer(error(404, "not_found")) as server:
                    self.assertEqual(both(server.url)[at].run(call)[0].code, "not_found")

    def test_walks_follow_the_cursor_to_the_last_page(self) -> None:
        walks: Dict[str, Call] = {
            "entries": lambda c: c.lists.all_entries("vip"),
            "decisions": lambda c: c.decisions.all(user_id="u"),
        }
        for member, walk in walks.items():
            for at in range(2):
                pages = [({member: [1, 2], "next_cursor": "p2"}), ({member: [3], "next_cursor": None})]
                with ScriptedServer(*(Answer(200, page) for page in pages)) as server:
                    self.assertEqual(both(server.url)[at].run(walk), [[1, 2, 3]])
                    self.assertIn("limit=100", server.requests[0].path)
                    self.assertNotIn("cursor", server.requests[0].path)
                    self.assertIn("cursor=p2", server.requests[1].path)


class Coverage(unittest.TestCase):
    def test_the_readme_names_every_method(self) -> None:
        readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
        section = readme.split("## Everything")[1]
        named = {
            f"{resource}.{method}"
            for resource, methods in re.findall(r"`(\w+)\.([\w/]+)`", section)
            for method in methods.split("/")
        }
        client = Client(base_url="https://api.example.com", api_key=KEY)
        found = {
            f"{resource}.{method}"
            for resource, methods in vars(client).items()
            if not resource.startswith("_")
            for method in dir(methods)
            if not method.startswith("_")
        }
        self.assertEqual(named, found)
