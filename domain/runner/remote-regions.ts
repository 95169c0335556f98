/** A region that is assigned to remote runners, of which none is connected. */
export interface DisconnectedRegion {
  /** id of the region */
  region: string;
  /** the last contact with any of its runners, milliseconds since 1970; null if unknown */
  since: number | null;
  /** no runner of it was ever connected, so this is not an outage */
  waiting?: boolean;
  /** for a private location: its name */
  name?: string;
  /** for a private location: its organization */
  organization_id?: string;
}

/** The state of the regions of remote runners, as known to this process. Both functions are cheap and use memory only. */
export interface RemoteRegions {
  /** ids of the regions that are assigned to remote runners: those with a token that is not revoked */
  expected: () => ReadonlySet<string>;
  /** those of which no runner is connected to any process; null if not known yet, right after a start */
  cutOff: () => readonly DisconnectedRegion[] | null;
}
