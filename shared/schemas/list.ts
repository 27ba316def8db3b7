import * as z from 'zod/mini';
import {
  isListName,
  isListType,
  LIST_EFFECTS,
  type ListType,
  MAX_NOTE_CHARACTERS,
} from '../domain/lists/list-definition';
import { MAX_VALUE_CHARACTERS } from '../domain/lists/list-value';
import { limit, warnings } from './conventions';
import { chosenId, text, timestamp } from './text';

/** A name that no PUT accepts cannot be found either. */
const listName = z.string().check(z.refine(isListName, 'list'));

export const listParams = z.object({ name: listName });

/** A name that is to be created: what is wrong with it is reported. */
export const newListParams = z.object({ name: chosenId('list') });

export const entryParams = z.object({ name: listName, value: chosenId('entry', MAX_VALUE_CHARACTERS) });

const listType = () =>
  z
    .string()
    .check(
      z.refine(
        isListType,
        'must be user_id, device_fingerprint, ip_address, cidr, email, email_domain, phone, card_fingerprint or attribute:<key>',
      ),
    );

export const putListRequest = z.object({
  type: z.pipe(
    listType(),
    z.transform((value) => value as ListType),
  ),
  effect: z.enum(LIST_EFFECTS),
  note: z.nullish(text(0, MAX_NOTE_CHARACTERS)),
});

export const list = () =>
  z.object({
    name: z.string(),
    type: z.string(),
    effect: z.enum(LIST_EFFECTS),
    note: z.nullable(z.string()),
    entries: z.int(),
    created_at: timestamp(),
    updated_at: timestamp(),
    warnings: warnings(),
  });

export const listCollection = () =>
  z.object({ lists: z.array(z.omit(list(), { warnings: true })), warnings: warnings() });

export const MAX_ENTRIES_PER_REQUEST = 1_000;

/** Texts of any content: a bad entry is rejected by itself, and the others count. */
const newEntry = z.object({ value: z.string(), expires_at: z.nullish(z.string()), reason: z.nullish(z.string()) });

export const addEntriesRequest = z.object({
  entries: z.array(newEntry).check(z.minLength(1), z.maxLength(MAX_ENTRIES_PER_REQUEST)),
});

export const addedEntries = () =>
  z.object({
    added: z.int(),
    updated: z.int(),
    rejected: z.array(z.object({ index: z.int(), message: z.string() })),
    warnings: warnings(),
  });

export const listEntriesQuery = z.object({
  limit: limit(),
  cursor: z.optional(text(1, 512)),
  value: z.optional(text(1, MAX_VALUE_CHARACTERS)),
});

export const entryPage = () =>
  z.object({
    entries: z.array(
      z.object({
        value: z.string(),
        expires_at: z.nullable(timestamp()),
        reason: z.nullable(z.string()),
        added_at: timestamp(),
        added_by: z.string(),
        added_by_name: z.string(),
      }),
    ),
    next_cursor: z.nullable(z.string()),
    warnings: warnings(),
  });
