import { join } from 'node:path';
import { NEWEST_API_VERSION } from '../../shared/domain/api-version';
import { sdkDefinitions } from './sdk-types';

export const PYTHON_TYPES_FILE = join(__dirname, '../../sdk/python/fraud_screening/_types.py');

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

const pascal = (member: string): string =>
  member.replace(/(^|_)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase());
const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
const literal = (value: unknown): string =>
  typeof value === 'boolean' ? pascal(String(value)) : JSON.stringify(value);
const WIDTH = 120;
/** Words of the language: a member of that name needs the other notation of a `TypedDict`. */
const RESERVED = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** One module: a class per object, an alias per enumeration. Objects within objects are named after their member. */
class PythonModule {
  readonly #classes = new Map<string, string>();
  readonly #aliases: string[] = [];

  define(name: string, schema: Schema): void {
    if (schema.properties) this.#class(name, schema);
    else this.#aliases.push(`${name} = ${this.#wrapped(this.#type(schema, name))}`);
  }

  text(): string {
    // Aliases name no class before it exists: those of enumerations come first.
    return [...this.#aliases, ...this.#classes.values()].join('\n\n\n');
  }

  #wrapped(type: string): string {
    if (type.length < 90 || !type.startsWith('Literal[')) return type;
    return `Literal[\n${type
      .slice('Literal['.length, -1)
      .split(', ')
      .map((value) => `    ${value},\n`)
      .join('')}]`;
  }

  #class(name: string, { properties = {}, required = [], description }: Schema): void {
    const members = Object.entries(properties);
    if (members.some(([member]) => RESERVED.has(member))) {
      this.#functional(name, members, required);
      return;
    }
    const isRequired = ([member]: readonly [string, Schema]) => required.includes(member);
    const line = ([member, schema]: readonly [string, Schema]) => {
      const comment = schema.description ? `${commented(schema.description)}\n` : '';
      return `${comment}    ${member}: ${this.#type(schema, name + pascal(member))}`;
    };
    const needed = members.filter(isRequired).map(line);
    const optional = members.filter((member) => !isRequired(member)).map(line);
    const doc = description ? `    """${description.replaceAll('\\', '\\\\')}"""\n\n` : '';
    const body = (lines: readonly string[]) => (lines.length === 0 ? '    pass' : lines.join('\n'));
    // `NotRequired` is in the standard library only since 3.11.
    if (needed.length > 0 && optional.length > 0) {
      this.#classes.set(`_${name}Required`, `class _${name}Required(TypedDict):\n${body(needed)}`);
      this.#classes.set(name, `class ${name}(_${name}Required, total=False):\n${doc}${body(optional)}`);
    } else {
      const total = optional.length > 0 ? ', total=False' : '';
      this.#classes.set(name, `class ${name}(TypedDict${total}):\n${doc}${body([...needed, ...optional])}`);
    }
  }

  #functional(name: string, members: ReadonlyArray<readonly [string, Schema]>, required: readonly string[]): void {
    const missing = members.find(([member]) => !required.includes(member));
    if (missing) throw new Error(`${name}.${missing[0]} is optional next to a reserved word: not supported`);
    const lines = members.map(
      ([member, schema]) => `        "${member}": "${this.#type(schema, name + pascal(member))}",`,
    );
    this.#classes.set(name, `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('\n')}\n    },\n)`);
  }

  #type(schema: Schema, name: string): string {
    if (schema.$ref) return schema.$ref.replace('#/definitions/', '');
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return this.#union(choices.map((each) => this.#type(each, name)));
    if (Array.isArray(schema.type)) {
      return this.#union(schema.type.map((type: string) => this.#type({ ...schema, type }, name)));
    }
    if (schema.type === 'array') return `list[${this.#type(schema.items ?? {}, singular(name))}]`;
    if (schema.properties) {
      this.#class(name, schema);
      return name;
    }
    if (schema.type === 'object') {
      const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
      return `dict[str, ${this.#type(values, singular(name))}]`;
    }
    return SCALARS[schema.type as string] ?? 'Any';
  }

  #union(types: readonly string[]): string {
    const distinct = [...new Set(types)];
    const others = distinct.filter((type) => type !== 'None');
    const union = others.length === 1 ? (others[0] as string) : `Union[${others.join(', ')}]`;
    return others.length < distinct.length ? `Optional[${union}]` : union;
  }
}

function commented(description: string): string {
  const lines = [''];
  for (const word of description.split(/\s+/)) {
    const last = lines[lines.length - 1] as string;
    if (last.length + word.length + 8 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => `    #: ${line}`).join('\n');
}

export function pythonTypes(): string {
  const module = new PythonModule();
  const definitions = Object.entries(sdkDefinitions()) as Array<readonly [string, Schema]>;
  for (const [name, schema] of definitions) module.define(name, schema);
  return `# Written by \`npm run sdk:types\` from the schemas of the API. Do not edit.
from __future__ import annotations

from typing import Any, Literal, Optional, TypedDict, Union

#: The version of the API that these types describe, and that every request pins.
API_VERSION = "${NEWEST_API_VERSION}"

${module.text()}
`;
}
