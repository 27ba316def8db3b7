// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are CloudFormation's.
import { NO_VALUE, resolve, type Scope } from '../../../local/template/resolve-stack';

const refs: Record<string, unknown> = {
  Table: 'table-1',
  'AWS::Region': 'eu-west-1',
  'AWS::NoValue': NO_VALUE,
  Count: 3,
};
const scope: Scope = {
  ref: (name) => refs[name],
  attribute: (logicalId, attribute) => `${logicalId}:${attribute}`,
  importValue: (name) => `imported ${name}`,
  condition: (name) => name === 'IsProduction',
  mapping: (map, top, key) => `${map}/${top}/${key}`,
};

describe('intrinsics', () => {
  it.each([
    ['plain values', { a: [1, 'b', null, true] }, { a: [1, 'b', null, true] }],
    ['Ref', { Ref: 'Table' }, 'table-1'],
    ['Fn::GetAtt as list', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'Table:Arn'],
    ['Fn::GetAtt as text', { 'Fn::GetAtt': 'Table.Stream.Arn' }, 'Table:Stream.Arn'],
    ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'Table' }, { Ref: 'Count' }]] }, 'a-table-1-3'],
    ['Fn::Join of a split', { 'Fn::Join': ['+', { 'Fn::Split': ['-', { Ref: 'Table' }] }] }, 'table+1'],
    [
      'Fn::Sub',
      { 'Fn::Sub': '${Table}/${Table.Arn}/${!Literal}/${AWS::Region}' },
      'table-1/Table:Arn/${Literal}/eu-west-1',
    ],
    ['Fn::Sub with variables', { 'Fn::Sub': ['${x} ${Table}', { x: { Ref: 'Count' } }] }, '3 table-1'],
    ['Fn::Select', { 'Fn::Select': [1, { 'Fn::Split': ['-', { Ref: 'Table' }] }] }, '1'],
    ['Fn::ImportValue', { 'Fn::ImportValue': { 'Fn::Sub': 'bucket-${Count}' } }, 'imported bucket-3'],
    ['Fn::If', { 'Fn::If': ['IsProduction', 'yes', { 'Fn::Unheard': 1 }] }, 'yes'],
    ['Fn::Equals', { 'Fn::Equals': [{ Ref: 'Count' }, '3'] }, true],
    ['Fn::FindInMap', { 'Fn::FindInMap': ['Map', { Ref: 'AWS::Region' }, 'key'] }, 'Map/eu-west-1/key'],
    ['AWS::NoValue', { a: { Ref: 'AWS::NoValue' }, b: [1, { Ref: 'AWS::NoValue' }] }, { b: [1] }],
    [
      'a statement with a condition of its own',
      { Condition: { Bool: { a: 'b' } } },
      { Condition: { Bool: { a: 'b' } } },
    ],
  ])('resolves %s', (_name, value, expected) => {
    expect(resolve(value, scope)).toEqual(expected);
  });

  it.each([
    [
      'an unknown intrinsic',
      { 'Fn::Cidr': ['10.0.0.0/16', 1, 8] },
      'the local run does not support the intrinsic Fn::Cidr',
    ],
    ['a Ref to nothing', { Ref: 'Gone' }, 'Ref refers to Gone'],
    ['a selection past the end', { 'Fn::Select': [5, ['a']] }, 'Fn::Select asks for member 5'],
    ['an object where text is needed', { 'Fn::Join': ['', [{ a: 1 }]] }, 'Fn::Join needs a string'],
  ])('fails on %s', (_name, value, message) => {
    expect(() => resolve(value, scope)).toThrow(message);
  });
});
