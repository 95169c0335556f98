/** What is done to many checks, besides what the list of checks says. */
export interface BulkWords {
  newCheck: string;
  group: string;
  noGroup: string;
  interval: string;
  timeout: string;
  regions: string;
  channels: string;
  /** what the channels are set for */
  channelsHint: string;
  noChannels: string;
  more: string;
  set: string;
}
