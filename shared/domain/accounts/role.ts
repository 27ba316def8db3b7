/** The permissions of API keys. Every route needs exactly one of these, or none if it needs no key. */
export const PERMISSIONS = [
  'screen',
  'read',
  'outcomes',
  'cases',
  'decisions',
  'list_entries',
  'lists',
  'rules',
  'webhooks',
  'personal_data',
  'keys',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

export const ROLES = ['admin', 'server', 'analyst', 'readonly'] as const;

export type Role = (typeof ROLES)[number];

const GRANTED: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  admin: new Set(PERMISSIONS),
  server: new Set<Permission>(['screen', 'read', 'outcomes']),
  analyst: new Set<Permission>(['read', 'cases', 'decisions', 'list_entries']),
  readonly: new Set<Permission>(['read']),
};

export const isAllowed = (role: Role, permission: Permission): boolean => GRANTED[role].has(permission);

/** The permissions of a role, in a fixed order. */
export const permissionsOf = (role: Role): Permission[] => PERMISSIONS.filter((each) => isAllowed(role, each));

/** Keys that were created before there were roles have none stored: they may do everything, as they always could. */
export const roleOrAdmin = (stored: string | undefined): Role => {
  if (stored === undefined) return 'admin';
  // A role that this version does not know was granted by another one: give it as little as possible.
  return ROLES.find((role) => role === stored) ?? 'readonly';
};
