/** A region that remote runners are to serve and none does. */
export interface CutOffRegion {
  /** id of the region */
  region: string;
  /** when the last of its runners was heard of, milliseconds since 1970; null: not known */
  since: number | null;
  /** no runner of it was ever connected: it waits for the first one, which is no outage */
  waiting?: boolean;
  /** of a private location: what it is called */
  name?: string;
  /** of a private location: whose it is */
  organization_id?: string;
}

/** What this process knows of the regions of remote runners. Asked for often: both answer from memory. */
export interface RemoteRegions {
  /** ids of the regions that remote runners are to serve: those with a token that is not revoked */
  expected: () => ReadonlySet<string>;
  /** those of them of which no runner is connected to any process; null: not known yet, as right after a start */
  cutOff: () => readonly CutOffRegion[] | null;
}
