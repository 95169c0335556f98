import type { OutageEnd } from '../../domain/region/events.ts';
import {
  recordDisconnection,
  recordReconnection,
  regionDecider,
  regionStreamId,
  type Outage,
} from '../../domain/region/outage.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { derivedUuid, reactorContext, type CommandContext } from '../engine/context.ts';
import type { Instant } from '../../domain/time.ts';

type Needs = Pick<CommandDependencies, 'handle'>;

export const REGION_OUTAGES = 'region-outages';

/** Creates the context of a command. Commands can be repeated, because the decider records nothing twice. */
const contextOf = (what: 'begun' | 'ended', { region, organization_id }: Outage, now: Instant): CommandContext =>
  reactorContext(REGION_OUTAGES, {
    organizationId: organization_id,
    commandId: derivedUuid(`${REGION_OUTAGES}/${what}/${region}/${now}`),
    now,
  });

/** Returns the recorded outage of a region, or null if there is no outage or the outage has ended. */
export const recordedOutage =
  ({ handle }: Needs) =>
  async (region: string, organizationId: string): Promise<Outage | null> =>
    (await handle.load(regionStreamId(region), regionDecider, { organizationId })).outage;

/** Records an outage of a region unless the region has one already. @returns the new or existing outage */
export const recordOutage =
  ({ handle }: Needs) =>
  async (outage: Outage, now: Instant): Promise<Outage> => {
    const context = contextOf('begun', outage, now);
    await handle(regionStreamId(outage.region), regionDecider, (link) => recordDisconnection(link, outage), context);
    return (await recordedOutage({ handle })(outage.region, outage.organization_id)) ?? outage;
  };

/** Records the end of an outage, unless the end is already recorded. */
export const recordOutageEnd =
  ({ handle }: Needs) =>
  async (outage: Outage, because: OutageEnd, now: Instant): Promise<void> => {
    const context = contextOf('ended', outage, now);
    await handle(regionStreamId(outage.region), regionDecider, (link) => recordReconnection(link, because), context);
  };
