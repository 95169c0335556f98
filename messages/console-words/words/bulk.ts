/** Texts of bulk actions, in addition to those of the check list. */
export interface BulkWords {
  newCheck: string;
  group: string;
  noGroup: string;
  interval: string;
  timeout: string;
  regions: string;
  channels: string;
  /** says for which rules the channels are set */
  channelsHint: string;
  noChannels: string;
  more: string;
  set: string;
}
