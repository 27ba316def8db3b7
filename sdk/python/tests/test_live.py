"""Against a running service: FRAUD_SCREENING_URL, and FRAUD_SCREENING_KEY of an account for this alone."""

from __future__ import annotations

import os
import unittest
import uuid
from typing import Any

from fraud_screening import FraudScreeningError, Runtime

from .both_clients import Tried

URL = os.environ.get("FRAUD_SCREENING_URL", "")
KEY = os.environ.get("FRAUD_SCREENING_KEY", "")


class Live(Tried):
    def __init__(self, name: str) -> None:
        super().__init__(name, URL, timeout=60, attempt_timeout=30)
        inner = self._make
        options: Any = dict(base_url=URL, api_key=KEY, runtime=Runtime(), timeout=60, attempt_timeout=30)
        self._make = lambda: type(inner())(**options)

    def one(self, call: Any) -> Any:
        (result,) = self.run(call)
        if isinstance(result, Exception):
            raise result
        return result


@unittest.skipUnless(URL and KEY, "needs FRAUD_SCREENING_URL and FRAUD_SCREENING_KEY")
class AgainstTheService(unittest.TestCase):
    def test_a_payment_and_its_result(self) -> None:
        for name in ("sync", "async"):
            client, user, key = Live(name), f"user-{uuid.uuid4()}", str(uuid.uuid4())

            def screen(given: Any) -> Any:
                return given.transactions.screen(user_id=user, amount=25, currency="EUR", idempotency_key=key)

            first, again = client.one(screen), client.one(screen)
            self.assertEqual(first, again)
            self.assertEqual(first["decision"], "allow")
            found = client.one(lambda given: given.transactions.get(first["transaction_id"]))
            self.assertEqual(found["risk_score"], first["risk_score"])
            profile = client.one(lambda given: given.users.risk_profile(user))
            self.assertEqual(profile["transactions"]["count"], 1)

    def test_a_doubtful_payment_its_case_and_its_decision(self) -> None:
        for name in ("sync", "async"):
            client = Live(name)
            forced = {"sandbox_decision": "review"}
            held = client.one(
                lambda given: given.transactions.screen(
                    user_id=f"mallory-{uuid.uuid4()}", amount=300, currency="USD", custom_attributes=forced
                )
            )
            self.assertEqual((held["decision"], held["decided_by"]["kind"]), ("review", "sandbox"))
            walked = client.one(lambda given: given.cases.all(status="open"))
            self.assertIn(held["case_id"], [each["case_id"] for each in walked])
            request = {"status": "rejected", "analyst_id": "ana", "notes": "stolen card"}
            resolved = client.one(lambda given: given.cases.resolve(held["case_id"], request))
            self.assertEqual(resolved["status"], "rejected")
            with self.assertRaises(FraudScreeningError) as late:
                client.one(lambda given: given.cases.resolve(held["case_id"], request))
            self.assertEqual(late.exception.code, "case_not_open")
            decision = client.one(lambda given: given.decisions.get(held["decision_id"]))
            self.assertEqual(decision["automated_decision"], "review")
            reviewed = client.one(lambda given: given.decisions.review(held["decision_id"], {"decision": "block"}))
            self.assertEqual(reviewed["decision"], "block")

    def test_every_fault_at_once(self) -> None:
        for name in ("sync", "async"):
            with self.assertRaises(FraudScreeningError) as failed:
                Live(name).one(lambda given: given.transactions.screen(user_id="", amount=0, currency="EURO"))
            error = failed.exception
            self.assertEqual((error.status, error.code), (400, "invalid_request"))
            self.assertEqual({fault["field"] for fault in error.details}, {"user_id", "amount", "currency"})
            for fault in error.details:
                self.assertEqual(str(error).count(f"{fault['field']}: {fault['message']}"), 1)

    def test_webhook_endpoints_and_the_overview(self) -> None:
        for name in ("sync", "async"):
            client = Live(name)
            request = {"url": "https://example.com/hooks", "events": ["case.created"]}
            made = client.one(lambda given: given.webhooks.create(request))
            self.assertTrue(made["signing_secret"].startswith("whsec_"))
            listed = client.one(lambda given: given.webhooks.list())
            self.assertIn(made["webhook_id"], [each["webhook_id"] for each in listed["webhooks"]])
            self.assertEqual(client.one(lambda given: given.deliveries.all(made["webhook_id"])), [])
            self.assertIsNone(client.one(lambda given: given.webhooks.delete(made["webhook_id"])))
            self.assertIn("screenings", client.one(lambda given: given.overview.get()))

    def test_lists_rules_and_outcomes(self) -> None:
        for name in ("sync", "async"):
            client, user, reference = Live(name), f"user-{uuid.uuid4()}", f"pi_{uuid.uuid4()}"
            made = client.one(lambda given: given.lists.put(name, {"type": "user_id", "effect": "none"}))
            self.assertEqual((made["name"], made["entries"]), (name, 0))
            entries = {"entries": [{"value": user, "reason": "office"}, {"value": ""}]}
            added = client.one(lambda given: given.lists.add_entries(name, entries))
            self.assertEqual((added["added"], [each["index"] for each in added["rejected"]]), (1, [1]))
            walked = client.one(lambda given: given.lists.all_entries(name))
            self.assertEqual([each["value"] for each in walked], [user])
            self.assertIsNone(client.one(lambda given: given.lists.delete_entry(name, user)))
            self.assertIsNone(client.one(lambda given: given.lists.delete(name)))

            draft = {"expression": "amount > 500", "action": "review"}
            self.assertEqual(client.one(lambda given: given.rules.put(name, draft))["version"], 1)
            paused = {**draft, "state": "paused"}
            self.assertEqual(client.one(lambda given: given.rules.put(name, paused, if_version=1))["version"], 2)
            with self.assertRaises(FraudScreeningError) as stale:
                client.one(lambda given: given.rules.put(name, draft, if_version=1))
            self.assertEqual((stale.exception.status, stale.exception.code), (412, "version_mismatch"))
            versions = client.one(lambda given: given.rules.versions(name))["versions"]
            self.assertEqual([each["version"] for each in versions], [2, 1])
            self.assertIn("matched", client.one(lambda given: given.rules.test(draft)))
            self.assertIsNone(client.one(lambda given: given.rules.delete(name)))

            paid = client.one(lambda given: given.transactions.screen(user_id=user, amount=25, currency="EUR"))
            named = {"references": [reference]}
            client.one(lambda given: given.transactions.add_references(paid["transaction_id"], named))
            chargeback = {"reference": reference, "type": "chargeback", "source_id": f"dp_{uuid.uuid4()}"}
            outcome = {**chargeback, "reason_code": "10.4", "network": "visa", "occurred_at": paid["screened_at"]}
            recorded = client.one(lambda given: given.outcomes.record(outcome))
            self.assertEqual((recorded["subject_id"], recorded["label"]), (paid["transaction_id"], "fraud"))
            self.assertEqual(client.one(lambda given: given.keys.me())["role"], "admin")
            self.assertGreaterEqual(len(client.one(lambda given: given.keys.list())["keys"]), 1)
