import { Type } from '@sinclair/typebox';
import { servingRunners, type ServingRunners } from '../../../commands/runners.ts';
import { privateRegion, REGIONS, type Region as KnownRegion } from '../../../domain/check/regions.ts';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import { listPrivateLocations, type PrivateLocation } from '../../../queries/runners.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice } from '../../schema.ts';
import { Region } from './schema.ts';

/** Converts a private location to the form of a region. */
const locationRegion = ({ id, name }: PrivateLocation): Pick<KnownRegion, 'id' | 'display_name' | 'aliases'> => ({
  ...privateRegion(id.slice('private-'.length)),
  display_name: name,
});

const presentRegion = (
  { id, display_name, aliases }: Pick<KnownRegion, 'id' | 'display_name' | 'aliases'>,
  { abilities, runnersIn }: ServingRunners,
) => ({
  id,
  display_name,
  aliases: [...aliases],
  available_check_types: [...(abilities.get(id) ?? [])].sort(),
  runners: runnersIn(id),
});

export const regionRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/checks/get-regions',
    summary: 'List regions',
    description: 'Includes private locations, and the check types that each can run now.',
    tag: 'Checks',
    access: { needs: 'checks.read' },
    query: Type.Object({ check_type: Type.Optional(choice(CHECK_TYPE_NAMES)) }),
    responses: { 200: Type.Object({ regions: Type.Array(Region), total_regions: Type.Integer() }) },
    handle: ({ query: { check_type: type }, commands, scope }) =>
      ok(async () => {
        const [locations, serving] = await Promise.all([listPrivateLocations(scope), commands.bind(servingRunners)()]);
        const regions = [...REGIONS, ...locations.map(locationRegion)]
          .map((region) => presentRegion(region, serving))
          .filter((region) => type === undefined || region.available_check_types.includes(type));
        return { regions, total_regions: regions.length };
      }),
  }),
];
