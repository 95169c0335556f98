/** Maximum lengths of an incident's texts, in characters (decisions.md: Incidents). */
export const MAX_INCIDENT_NAME = 200;
export const MAX_BODY = 25_000;
/** Maximum size of `metadata`, in bytes as JSON. */
export const MAX_METADATA_BYTES = 16_384;
export const MAX_REMINDER_INTERVALS = 10_000;

/**
 * How many components an incident can name in all its updates together, and how many updates it
 * can have: what one event changes must fit into a batch of documents (design.md: Projections).
 */
export const MAX_COMPONENTS = 300;
export const MAX_UPDATES = 500;
