/** A confirmed label and what is counted of them, in any window. */
const LABELS = '(fraud|legitimate|labels|labelled|flagged)';

/** The first that fits says which signal speaks of the same thing as a feature. */
const GROUPS: ReadonlyArray<readonly [RegExp, string]> = [
  [new RegExp(`^user_${LABELS}`), 'prior_fraud'],
  [new RegExp(`^device_${LABELS}`), 'known_fraud_device'],
  [new RegExp(`^ip_${LABELS}`), 'known_fraud_ip'],
  [new RegExp(`_${LABELS}`), 'attribute_risk'],
  [/^(user|device|ip)_cards$|^user_card_seen$/, 'card_testing_pattern'],
  [/^(user|device|ip|attribute)_(tx|burst|amount_24h)_/, 'velocity_spike'],
  [/^(ip_country_differs|user_countries|user_country_seen)$/, 'ip_mismatch'],
  [/^travel_/, 'impossible_travel'],
  [/^ip_(hosting|mobile)$/, 'anonymous_ip'],
  [/^(user_device_seen|device_age_days|device_idle_hours)$/, 'new_device'],
  [/^user_devices$/, 'device_switching'],
  [/^device_(users|user_seen|ips)$/, 'shared_device'],
  [/^ip_(users|user_seen|devices|age_days|idle_hours)$/, 'shared_ip'],
  [/amount/, 'amount_anomaly'],
  [/^since_signup_s$/, 'rapid_signup_purchase'],
  [/^since_password_reset_s$/, 'password_reset_then_purchase'],
  [/failed_logins/, 'failed_login_burst'],
  [/^user_hour_share$/, 'unusual_hour'],
];

/** The signal that a feature belongs to; undefined for what only a model looks at. */
export const signalOfFeature = (feature: string): string | undefined =>
  GROUPS.find(([pattern]) => pattern.test(feature))?.[1];
