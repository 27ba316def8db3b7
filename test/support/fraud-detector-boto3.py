"""Events, and declared types, by boto3, with only endpoint and credentials changed. Prints what came back as JSON."""

import datetime
import json
import os

import boto3

client = boto3.client(
    "frauddetector",
    endpoint_url=os.environ["AFD_URL"],
    region_name="eu-central-1",
    aws_access_key_id=os.environ["FRAUD_SCREENING_KEY"],
    aws_secret_access_key="x",
)
now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
name = {"eventId": "boto-1", "eventTypeName": "purchase"}
event = {
    **name,
    "eventTimestamp": now,
    "entities": [{"entityType": "customer", "entityId": "user-boto"}],
    "eventVariables": {"order_price": "49.90", "payment_currency": "EUR", "ip_address": "91.0.0.1"},
}


def raised(call, **given):
    """The exception of the client that a call raises, by its class."""
    try:
        call(**given)
    except client.exceptions.ConflictException:
        return "ConflictException"
    except client.exceptions.ResourceNotFoundException:
        return "ResourceNotFoundException"
    except client.exceptions.ValidationException:
        return "ValidationException"
    return None


prediction = client.get_event_prediction(detectorId="checkout", detectorVersionId="1", **event)
again = client.get_event_prediction(detectorId="checkout", detectorVersionId="1", **event)
metadata = client.get_event_prediction_metadata(
    **name, detectorId="checkout", detectorVersionId="1", predictionTimestamp=now
)
client.send_event(**{**event, "eventId": "boto-2"}, assignedLabel="legit", labelTimestamp=now)
client.update_event_label(**name, assignedLabel="fraud", labelTimestamp=now)
policy = {"name": "policy", "dataType": "STRING", "dataSource": "EVENT", "defaultValue": "none"}
client.create_variable(**policy)
client.put_entity_type(name="customer")
own_types = ["claim", "coupon", "gift-card", "payout", "refund"]
for own_type in own_types:
    client.put_event_type(name=own_type, eventVariables=["policy"], entityTypes=["customer"])
claim = {
    **event,
    "entities": [{"entityType": "customer", "entityId": "user-claims"}],
    "eventVariables": {"policy": "home"},
}
claimed = [
    client.get_event_prediction(detectorId="checkout", **{**claim, "eventTypeName": own_type})["ruleResults"][0]
    for own_type in own_types
]
kept = [
    client.get_event(eventId=event["eventId"], eventTypeName=own_type)["event"]["eventTypeName"]
    for own_type in own_types
]
print(
    json.dumps(
        {
            "outcomes": prediction["ruleResults"][0]["outcomes"],
            "is_same": again["modelScores"] == prediction["modelScores"],
            "entity": metadata["entityId"],
            "label": client.get_event(**name)["event"]["currentLabel"],
            "detectors": [each["detectorId"] for each in client.get_detectors(detectorId="checkout")["detectors"]],
            "event_types": [each["name"] for each in client.get_event_types()["eventTypes"]],
            "declared": [
                [each["name"], each["eventVariables"], each["entityTypes"]]
                for own_type in own_types
                for each in client.get_event_types(name=own_type)["eventTypes"]
            ],
            "variables": [each["name"] for each in client.get_variables()["variables"]],
            "kept": kept,
            "claimed": [len(each["outcomes"]) for each in claimed],
            "rules": [each["ruleId"] for each in client.get_rules(detectorId="checkout")["ruleDetails"]],
            "all_outcomes": [each["name"] for each in client.get_outcomes()["outcomes"]],
            "raised": [
                raised(client.get_event, eventId="nothing", eventTypeName="purchase"),
                raised(client.update_event_label, **name, assignedLabel="maybe", labelTimestamp=now),
                raised(
                    client.get_event_prediction,
                    detectorId="checkout",
                    **{**event, "eventVariables": {"order_price": "9.90"}},
                ),
                raised(client.create_variable, **policy),
                raised(client.send_event, **{**claim, "eventTypeName": "unheard_of"}),
                raised(client.delete_variable, name="policy"),
            ],
        }
    )
)
