/** Roles that may change checks, alerts, heartbeats, pages and incidents (docs/permissions.md). */
export const WRITING_ROLES: readonly string[] = ['editor', 'admin'];
