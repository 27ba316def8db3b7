-- Questions that are saved with the warehouse; Athena and DuckDB both understand them. A decision ended as its last review
-- says, or without one as its last outcome left it: 'review…' sorts after 'outcome…'. Names in a JSON list are one row each:
-- ["a","b"] without its brackets and quotes, split at the commas.

-- approval-rate-by-day: How many payments were allowed, and what the others were worth
SELECT dt, count(*) AS payments,
  round(100.0 * count_if(decision = 'allow') / count(*), 2) AS allowed_percent,
  round(sum(CASE WHEN decision = 'allow' THEN 0 ELSE amount_usd END), 2) AS stopped_usd
FROM decisions WHERE subject_type = 'transaction' GROUP BY dt ORDER BY dt

-- precision-of-rules: How often each rule was right, of the decisions that ended
WITH ended AS (
  SELECT account_id, decision_id, max_by(label_in_force, concat(kind, CAST(recorded_at AS varchar))) AS label
  FROM outcomes GROUP BY 1, 2
),
matched AS (
  SELECT d.account_id, d.decision_id, r.rule FROM decisions d
  CROSS JOIN unnest(split(replace(substr(d.rules, 2, length(d.rules) - 2), '"', ''), ',')) AS r(rule) WHERE d.rules <> '[]'
)
SELECT m.rule, count(*) AS matched, count_if(e.label <> 'none') AS ended, count_if(e.label = 'fraud') AS fraud,
  round(100.0 * count_if(e.label = 'fraud') / nullif(count_if(e.label <> 'none'), 0), 1) AS precision_percent
FROM matched m LEFT JOIN ended e ON e.account_id = m.account_id AND e.decision_id = m.decision_id
GROUP BY m.rule ORDER BY matched DESC

-- missed-fraud: Fraud that was allowed, the most expensive first
WITH ended AS (
  SELECT account_id, decision_id, max_by(label_in_force, concat(kind, CAST(recorded_at AS varchar))) AS label
  FROM outcomes GROUP BY 1, 2
)
SELECT d.decision_id, d.occurred_at, d.risk_score, round(d.amount_usd, 2) AS amount_usd, d.signals
FROM decisions d JOIN ended e ON e.account_id = d.account_id AND e.decision_id = d.decision_id
WHERE d.decision = 'allow' AND e.label = 'fraud' ORDER BY d.amount_usd DESC LIMIT 100

-- signals-of-chargebacks: Which signals chargebacks had, and how often these were fraud
WITH charged AS (SELECT DISTINCT account_id, decision_id FROM outcomes WHERE type = 'chargeback'),
seen AS (
  SELECT d.account_id, d.decision_id, s.signal FROM decisions d
  CROSS JOIN unnest(split(replace(substr(d.signals, 2, length(d.signals) - 2), '"', ''), ',')) AS s(signal) WHERE d.signals <> '[]'
)
SELECT s.signal, count(*) AS decisions, count(c.decision_id) AS chargebacks
FROM seen s LEFT JOIN charged c ON c.account_id = s.account_id AND c.decision_id = s.decision_id
GROUP BY s.signal ORDER BY chargebacks DESC, decisions DESC

-- reviewers: Cases per person, and how long they waited
SELECT coalesce(resolved_by, 'nobody named') AS reviewer, count(*) AS cases,
  round(100.0 * count_if(status = 'rejected') / count(*), 1) AS rejected_percent,
  round(avg(date_diff('minute', opened_at, occurred_at)), 0) AS minutes_waited
FROM cases WHERE status IN ('approved', 'rejected') GROUP BY 1 ORDER BY cases DESC

-- cost-per-decision: What fraud and reviews cost, per thousand payments
WITH ended AS (
  SELECT account_id, decision_id, max_by(label_in_force, concat(kind, CAST(recorded_at AS varchar))) AS label
  FROM outcomes GROUP BY 1, 2
),
lost AS (
  SELECT sum(d.amount_usd) AS usd FROM decisions d
  JOIN ended e ON e.account_id = d.account_id AND e.decision_id = d.decision_id
  WHERE d.decision = 'allow' AND e.label = 'fraud'
),
paid AS (SELECT count(*) AS payments, count_if(decision = 'review') AS reviews FROM decisions WHERE subject_type = 'transaction')
SELECT payments, reviews, round(coalesce(usd, 0), 2) AS fraud_usd,
  round(1000.0 * coalesce(usd, 0) / payments, 2) AS fraud_usd_per_1000,
  -- A review of five minutes at 30 US dollars per hour: change it to yours.
  round(1000.0 * reviews * 2.5 / payments, 2) AS review_usd_per_1000
FROM paid CROSS JOIN lost
