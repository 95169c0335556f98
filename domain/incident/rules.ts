/** Maximum lengths of an incident's texts, in characters (docs/reference/incidents.md#fields). */
export const MAX_INCIDENT_NAME = 200;
export const MAX_BODY = 25_000;
/** Maximum size of `metadata`, in bytes of JSON. */
export const MAX_METADATA_BYTES = 16_384;
/** Maximum delay of the messages about an update, in seconds. */
export const MAX_NOTIFICATION_DELAY = 60;
export const MAX_REMINDER_INTERVALS = 10_000;
/**
 * Maximum total size of the updates of an incident with their components, in bytes of JSON. Read models store an
 * incident in one document, whose maximum size leaves enough room for the other fields (stores/read-store/port.ts).
 */
export const MAX_INCIDENT_BYTES = 8 * 1_048_576;

/**
 * Maximum number of different components in all updates of an incident, and maximum number of updates. The limits exist
 * because the changes by one event must fit into a batch of documents (docs/develop/projections.md#declaration).
 */
export const MAX_COMPONENTS = 300;
export const MAX_UPDATES = 500;
