/** Maximum lengths of an incident's texts, in characters (decisions.md: Incidents). */
export const MAX_INCIDENT_NAME = 200;
export const MAX_BODY = 25_000;
/** Maximum size of `metadata`, in bytes as JSON. */
export const MAX_METADATA_BYTES = 16_384;
/** The longest time for which the messages of an update can be held, seconds. */
export const MAX_NOTIFICATION_DELAY = 60;
export const MAX_REMINDER_INTERVALS = 10_000;
/**
 * Maximum size of all updates of an incident together, with the components they name, in bytes as JSON. Read models hold
 * an incident in one document, which has room for everything else besides (stores/read-store/port.ts).
 */
export const MAX_INCIDENT_BYTES = 8 * 1_048_576;

/**
 * How many components an incident can name in all its updates together, and how many updates it
 * can have: what one event changes must fit into a batch of documents (design.md: Projections).
 */
export const MAX_COMPONENTS = 300;
export const MAX_UPDATES = 500;
