import type { Configuration, Fields, Reference } from '../configuration/model.ts';

/** What an importer has read from the files of another product. */
export interface Imported {
  configuration: Configuration;
  /**
   * whether `${env:NAME}` in the configuration stands for a variable of the environment. Without this, all texts are
   * literal, so that a file of another product cannot name a secret of the machine.
   */
  has_variables?: boolean;
  /** incidents and maintenances of pages, oldest first */
  incidents?: readonly ImportedIncident[];
  subscribers?: readonly ImportedSubscribers[];
  /** current statuses of components, which no incident explains in full */
  component_statuses?: readonly ImportedComponentStatus[];
  /** sentences on what Uptrail cannot represent, each with the closest equivalent */
  unmapped: readonly string[];
}

/** An incident or maintenance of a page in the other product. */
export interface ImportedIncident {
  /** name of the page */
  page: string;
  /** identifies the incident in later imports, such as `statuspage:abc123` */
  source_id: string;
  /**
   * beginning of `source_id` up to the number of a row, such as `uptime-kuma:incident-7`. Earlier releases used it as
   * `source_id`. Rows of other installations have the same numbers, so an incident with this id is the imported one only
   * if its time is the same.
   */
  source_row?: string;
  kind: 'incident' | 'maintenance';
  name: string;
  impact: string;
  /** the schedule of a maintenance: `scheduled_for`, `scheduled_until` and the switches of its creation in the API */
  schedule?: Fields;
  metadata?: Fields;
  /** published postmortem, Markdown */
  postmortem?: string;
  /** oldest first; `created_at` is the original time */
  updates: readonly ImportedUpdate[];
}

export interface ImportedUpdate {
  status: string;
  body: string;
  created_at: string;
  components: readonly { component: Reference; status: string }[];
}

/** Subscribers of a page, as the CSV file that the import of subscribers takes (docs/reference/subscribers.md#import). */
export interface ImportedSubscribers {
  /** name of the page */
  page: string;
  csv: string;
  /** what each line after the header is called, without an address: `line 3 of subscribers.csv` */
  labels?: readonly string[];
  /** components by the texts in the column `component_ids` of the file */
  components?: ReadonlyMap<string, Reference>;
}

export interface ImportedComponentStatus {
  /** name of the page */
  page: string;
  component: Reference;
  status: string;
}
