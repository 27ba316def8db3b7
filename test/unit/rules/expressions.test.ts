import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { Environment } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { compileTree, type Value } from '../../../shared/domain/rules/compile-tree';
import { check, checkCondition, type ValueType } from '../../../shared/domain/rules/language/check';
import { ExpressionError } from '../../../shared/domain/rules/language/expression-error';
import { FIXED_NAMES, RULE_READER, type RuleFacts } from '../../../shared/domain/rules/rule-facts';
import { REQUEST_NAMES, RULE_NAMES, ruleNames } from '../../../shared/domain/rules/rule-names';
import { FEATURE_NAMES } from '../../../shared/domain/screening/features';
import { sized } from '../../support/sized';
import { RANDOM_NAMES, RANDOM_VALUES, randomCondition, randomText } from './random-expressions';

describe('expressions', () => {
  const facts = (change: Partial<RuleFacts> = {}): RuleFacts => ({
    subject: {
      subject_type: 'transaction',
      action: 'transaction',
      outcome: 'succeeded',
      user_id: 'ana',
      amount: 150,
      currency: 'EUR',
      custom_attributes: { email: 'Ana@Example.com', 'odd key': 'x' },
      billing_address: { country: 'DE', postal_code: '10115' },
    },
    ip: { country: 'US', asn: 16509, network: 'hosting' },
    score: 40,
    vector: new Float32Array(FEATURE_NAMES.length).fill(Number.NaN),
    fired: [{ name: 'new_device' }],
    lists: [{ name: 'vips', type: 'user_id', effect: 'none' }],
    ...change,
  });

  const holds = (text: string, given = facts()): unknown =>
    compileTree(checkCondition(text, ruleNames()).tree, RULE_READER)(given);

  const refusal = (text: string, lists?: readonly string[]): string => {
    try {
      checkCondition(text, ruleNames({ lists }));
    } catch (error) {
      if (error instanceof ExpressionError) return error.message;
      throw error;
    }
    return 'accepted';
  };

  describe('what a rule can say', () => {
    it.each([
      'amount == 150',
      'amount > 99.5 && amount <= 150.0',
      'currency in ["EUR", "USD"] && !(payment_method == "crypto")',
      'ip.country != billing.country',
      'ip.hosting && ip.asn == 16509',
      'billing.postal_code.startsWith("10")',
      'attr.email.lowerAscii().endsWith("@example.com")',
      'attr["odd key"] == "x" && attr["odd key"].size() == 1',
      'score + 10 >= 50 && score * 2 == 80 && score / 3 == 13',
      'signals.new_device && !signals.velocity_spike',
      'user_id in lists.vips',
      'has(attr.email) && !has(attr.phone) && !has(features.user_age_days)',
      'subject_type == "transaction" // a comment\n && true',
    ])('%s holds', (text) => {
      expect(holds(text)).toBe(true);
    });

    it.each([
      'payment_method == "card"',
      'payment_method != "card"',
      'event_type == "login"',
      'features.user_age_days < 1',
      'features.user_age_days != 1',
      'features.user_age_days + 1 >= 0',
      'attr.phone.startsWith("+")',
      'attr.phone + "x" == "x"',
      'attr.phone < "b"',
      '-features.user_age_days < 5',
      'attr.phone in ["", "a"]',
      'attr.email in lists.vips',
      'device_fingerprint in lists.vips',
      'user_id in lists.others',
    ])('%s is false where a value is missing or another', (text) => {
      expect(holds(text)).toBe(false);
    });

    it('counts a missing condition as false', () => {
      const anonymous = facts({ ip: undefined });
      expect(holds('ip.hosting && true', anonymous)).toBe(false);
      expect(holds('!ip.hosting', anonymous)).toBe(true);
      expect(holds('ip.hosting == false', anonymous)).toBe(false);
    });
  });

  describe('what a rule cannot say', () => {
    it.each([
      ['amuont > 5', 'at position 1: Unknown name amuont; did you mean amount?'],
      ['true && ip.contry == "DE"', 'at position 9: Unknown name ip.contry; did you mean ip.country?'],
      [
        'signals.velocity_spkie',
        'at position 1: Unknown name signals.velocity_spkie; did you mean signals.velocity_spike?',
      ],
      ['attr.email.startWith("a")', 'at position 12: Unknown function startWith; did you mean startsWith?'],
      ['amount > "5"', 'at position 8: > compares a number with a text'],
      ['amount', 'at position 1: A rule is a condition, and this is a number'],
      ['amount = 5', 'at position 8: A comparison is written =='],
      ['amount > 5 &&', 'at position 14: Expected a value instead of the end'],
      ['(amount > 5', 'at position 12: Expected ) to close the parenthesis'],
      [
        'attr.email.matches("^(a+)+$")',
        'at position 12: Regular expressions are not available in rules; use startsWith, endsWith or contains',
      ],
      ['amount > 5 ? true : false', 'at position 12: The conditional operator ? : is not available; use && and ||'],
      ['amount / 0 > 1', 'at position 10: Division by zero'],
      ['[1].exists(x, x > 0)', 'at position 5: Unknown function exists'],
      ['has(amount > 5)', 'at position 1: has() takes a name, as in has(attr.email)'],
      [
        'amount > 5\n&& curency == "EUR"',
        'at position 15 (line 2, column 4): Unknown name curency; did you mean currency?',
      ],
      ['amount in lists.vips', 'at position 1: amount cannot be in a list'],
      ['user_id == lists.vips', 'at position 12: A list can only stand after in, as in user_id in lists.vips'],
    ])('%s', (text, message) => {
      expect(refusal(text)).toBe(message);
    });

    it('names the nearest list, where the lists are known', () => {
      expect(refusal('user_id in lists.vip', ['vips'])).toBe(
        'at position 12: Unknown name lists.vip; did you mean lists.vips?',
      );
    });

    it('has limits: characters, parts and parentheses', () => {
      expect(refusal(`user_id == "${'x'.repeat(2_000)}"`)).toContain('at most 2000 characters');
      expect(refusal(Array(60).fill('score>1').join('||'))).toContain('at most 100 parts');
      expect(refusal(`${'('.repeat(900)}true${')'.repeat(900)}`)).toContain('nested at most 50 deep');
      expect(refusal(`${'!'.repeat(900)}true`)).toContain('At most 50 signs');
    });
  });

  describe('the catalogue of names', () => {
    it('has exactly the names that the engine reads, each with an example that holds its type', () => {
      expect(REQUEST_NAMES.map(({ name }) => name)).toEqual(Object.keys(FIXED_NAMES));
      expect(RULE_NAMES.filter(({ name }) => RULE_READER.read(name) === undefined)).toEqual([]);
      expect(RULE_NAMES.map(({ example }) => refusal(example)).filter((message) => message !== 'accepted')).toEqual([]);
    });
  });
});

describe('expression fuzz', () => {
  /* Expressions made at random: ours against another implementation, and anything at all against crashes. */

  const RUNS = sized(10_000, 400);

  function ours(text: string): Value {
    const { tree } = check(text, RANDOM_NAMES);
    return compileTree<null>(tree, { read: (name) => () => RANDOM_VALUES[name]?.value, inList: () => () => false })(
      null,
    );
  }

  const reference = Object.entries(RANDOM_VALUES).reduce(
    (environment, [name, { type }]) => environment.registerVariable(name, type),
    new Environment({ limits: { maxAstNodes: 1_000 } }),
  );
  const context = Object.fromEntries(Object.entries(RANDOM_VALUES).map(([name, { value }]) => [name, value]));

  describe('expressions made at random', () => {
    it('evaluate as another implementation of CEL does, where both accept them', () => {
      let compared = 0;
      fc.assert(
        fc.property(randomCondition, (text) => {
          let mine: Value;
          try {
            mine = ours(text);
          } catch (error) {
            // Too long, too deep: limits that the other library does not have.
            expect(error).toBeInstanceOf(ExpressionError);
            return;
          }
          expect({ text, value: mine }).toEqual({ text, value: reference.evaluate(text, context) });
          compared += 1;
        }),
        { numRuns: RUNS },
      );
      expect(compared).toBeGreaterThan(0.75 * RUNS);
    });

    it('are refused with a position, or accepted, whatever they are', () => {
      fc.assert(
        fc.property(randomText, (text) => {
          try {
            check(text, RANDOM_NAMES);
          } catch (error) {
            if (!(error instanceof ExpressionError)) throw error;
            expect(error.at).toBeGreaterThanOrEqual(0);
            expect(error.at).toBeLessThanOrEqual(text.length);
          }
        }),
        { numRuns: RUNS },
      );
    });
  });
});

describe('cel conformance', () => {
  /* The cases of the CEL specification: what our subset accepts must mean the same, the rest must be refused clearly. */

  interface Case {
    readonly original: {
      readonly name: string;
      readonly expr: string;
      readonly value?: Readonly<Record<string, unknown>>;
      readonly evalError?: unknown;
      readonly typedResult?: { readonly result?: Readonly<Record<string, unknown>> };
      /** A package to look names up in, which rules do not have. */
      readonly container?: string;
      readonly bindings?: Readonly<Record<string, { readonly value?: Readonly<Record<string, unknown>> }>>;
    };
  }
  interface Suite {
    readonly name: string;
    readonly tests?: readonly Case[];
    readonly suites?: readonly Suite[];
  }

  const casesOf = ({ name, tests: own = [], suites = [] }: Suite): { readonly path: string; readonly each: Case }[] => [
    ...own.map((each) => ({ path: `${name}/${each.original.name}`, each })),
    ...suites.flatMap((suite) => casesOf(suite).map(({ path, each }) => ({ path: `${name}/${path}`, each }))),
  ];

  const TYPES: Readonly<Record<string, ValueType>> = {
    int64Value: 'int',
    doubleValue: 'double',
    stringValue: 'string',
    boolValue: 'bool',
  };

  /** A value of the test data as ours; undefined for types that rules do not have. */
  function plain(value: Readonly<Record<string, unknown>> | undefined): { type: ValueType; value: Value } | undefined {
    const [[kind = '', raw] = []] = Object.entries(value ?? {});
    const type = TYPES[kind];
    if (type === undefined) return undefined;
    return { type, value: type === 'int' || type === 'double' ? Number(raw) : (raw as Value) };
  }

  function outcomeOf({ original }: Case): 'agrees' | 'differs' | 'refused' | 'crashed' {
    const { expr, value, evalError, typedResult, bindings = {}, container } = original;
    const known = new Map(
      Object.entries(container === undefined ? bindings : {}).flatMap(([name, bound]) => {
        const found = plain(bound.value);
        return found === undefined ? [] : [[name, found] as const];
      }),
    );
    try {
      const { tree } = check(expr, { typeOf: (path) => known.get(path.join('.'))?.type, known: () => known.keys() });
      const got = compileTree<null>(tree, {
        read: (name) => () => known.get(name)?.value,
        inList: () => () => false,
      })(null);
      // Where CEL has an error, ours is a missing value.
      if (evalError !== undefined) return got === undefined || Number.isNaN(got) ? 'agrees' : 'differs';
      // A case that says nothing else expects `true`; one about types only says nothing about the value.
      if (typedResult !== undefined && typedResult.result === undefined) return 'agrees';
      const expected = plain(value ?? typedResult?.result ?? { boolValue: true });
      if (expected === undefined) return 'differs';
      return Object.is(got, expected.value) || got === expected.value ? 'agrees' : 'differs';
    } catch (error) {
      const isClear = error instanceof ExpressionError && /^at position \d+.*: \S.{10,}/.test(error.message);
      return isClear ? 'refused' : 'crashed';
    }
  }

  describe('the cases of the CEL specification', () => {
    const all = casesOf(tests as unknown as Suite);
    const outcomes = all.map(({ path, each }) => ({ path, expr: each.original.expr, outcome: outcomeOf(each) }));
    const count = (wanted: string) => outcomes.filter(({ outcome }) => outcome === wanted).length;

    it('agree where the subset accepts them, and are refused with a position and a reason elsewhere', () => {
      expect(outcomes.filter(({ outcome }) => outcome === 'differs' || outcome === 'crashed')).toEqual([]);
      process.stdout.write(
        `CEL conformance: ${count('agrees')} of ${all.length} cases agree, ${count('refused')} refused\n`,
      );
      expect(all.length).toBeGreaterThan(2_000);
      expect(count('agrees')).toBeGreaterThan(250);
    });
  });
});
