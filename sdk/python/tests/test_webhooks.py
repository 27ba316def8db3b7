from __future__ import annotations

import unittest
from typing import Any

from fraud_screening import WebhookVerificationError, construct_event

SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
ID = "evt_01J9Z3K8Q4V7W2X5Y6Z7A8B9C0"
NOW = 1_760_000_000
BODY = (
    f'{{"id":"{ID}","type":"transaction.screened","timestamp":"2025-10-09T08:53:20.000Z",'
    '"livemode":false,"data":{"name":"Zoë"}}'
)
SERVICE = {"X-Service-Signature": "t=1760000000,v1=dc57af2fd7e276e19d66347e9ea3c99780bf013c152b5ef86c1e4a2b7ecbf244"}
STANDARD = {
    "webhook-id": ID,
    "webhook-timestamp": "1760000000",
    "webhook-signature": "v1,LjmNsz1/EJ3vVKJlfAb/HjHb5nTVgb5i3ng39RhrCB8=",
}
BOTH = {**STANDARD, **SERVICE}


def verdict(headers: Any, body: Any = BODY, secrets: Any = SECRET, now: float = NOW) -> str:
    """The reason of a refusal, or the ID of an event."""
    try:
        return construct_event(body, headers, secrets, now_seconds=now)["id"]
    except WebhookVerificationError as error:
        return error.reason


class Webhooks(unittest.TestCase):
    def test_the_fixed_vector_is_accepted(self) -> None:
        upper = {name.upper(): value for name, value in BOTH.items()}
        for headers in (BOTH, STANDARD, SERVICE, upper, {name: [value] for name, value in BOTH.items()}):
            self.assertEqual(verdict(headers), ID)
        for body in (BODY, BODY.encode(), bytearray(BODY.encode())):
            self.assertEqual(verdict(BOTH, body), ID)
        self.assertEqual(construct_event(BODY, BOTH, SECRET, now_seconds=NOW)["data"]["name"], "Zoë")

    def test_one_of_several_secrets(self) -> None:
        self.assertEqual(verdict(BOTH, secrets=["whsec_" + "B" * 43 + "=", SECRET]), ID)
        self.assertEqual(verdict(BOTH, secrets=["whsec_" + "B" * 43 + "="]), "signature_mismatch")

    def test_refusals(self) -> None:
        flipped = STANDARD["webhook-signature"][:-2] + "9="
        for expected, headers, body in [
            ("missing_header", {}, BODY),
            ("missing_header", {**STANDARD, "webhook-id": ""}, BODY),
            ("malformed_header", {"X-Service-Signature": "v1=00"}, BODY),
            ("malformed_header", {"X-Service-Signature": "t=1,t=2,v1=00"}, BODY),
            ("malformed_header", {**STANDARD, "webhook-timestamp": " 1760000000"}, BODY),
            ("malformed_header", {name: [value, value] for name, value in STANDARD.items()}, BODY),
            ("signature_mismatch", BOTH, BODY + " "),
            ("signature_mismatch", {**BOTH, "webhook-signature": flipped}, BODY),
            ("signature_mismatch", {**STANDARD, "X-Service-Signature": "t=1760000000,v1=" + "0" * 64}, BODY),
            ("signature_mismatch", {"X-Service-Signature": SERVICE["X-Service-Signature"].upper().replace("T=", "t=").replace("V1=", "v1=")}, BODY),
        ]:
            self.assertEqual(verdict(headers, body), expected, headers)
        self.assertEqual(verdict(BOTH, now=NOW + 301), "timestamp_too_old")
        self.assertEqual(verdict(BOTH, now=NOW - 301), "timestamp_too_new")
        self.assertEqual(verdict(BOTH, now=NOW + 300), ID)
        # X-Service-Signature does not cover the header webhook-id.
        self.assertEqual(verdict({**SERVICE, "webhook-id": "other"}), "malformed_payload")

    def test_what_is_not_a_secret_or_not_raw(self) -> None:
        for secrets in ("", [], "whsec_", "secret"):
            with self.assertRaises(ValueError):
                verdict(BOTH, secrets=secrets)
        with self.assertRaises(TypeError):
            verdict(BOTH, body={"id": ID})
