import type { JSX } from 'preact';
import { useLive, type LiveSource } from '../../live/live-data.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { Facts } from '../../parts/facts.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { durationOf, Moment } from '../../parts/times/since.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { call } from '../../session/call.ts';
import { language, words } from '../../shell/language.ts';
import { UseBars, type LimitUsage } from './bars.tsx';

const USAGE: LiveSource<Schemas['Usage']> = {
  load: (signal) => call('GET /v1/usage', {}, { signal }),
  resources: ['organization', 'subscription', 'user'],
  merge: () => null,
};

export const limitUsagesOf = ({ credits, checks, pages, users }: Schemas['Usage']): LimitUsage[] => {
  const says = words.value.plan;
  return [
    { label: says.credits, ...credits },
    { label: words.value.screens.checks, ...checks },
    { label: says.pages, ...pages },
    { label: words.value.screens.people, ...users },
  ];
};

/** The tabs of the plan screens. */
export const PlanTabs = (): JSX.Element => (
  <Tabs
    label={words.value.screens.plan}
    items={[
      { to: '/plan', label: words.value.screens.plan },
      { to: '/usage', label: words.value.screens.usage },
    ]}
  />
);

/** The usage of the organization in this month, and its totals. */
const UsageScreen = (): JSX.Element => {
  const live = useLive(USAGE, []);
  const says = words.value.plan;
  return (
    <>
      <ScreenHead title={words.value.screens.usage} />
      <PlanTabs />
      <LoadedView of={live}>
        {(usage) => (
          <>
            <UseBars uses={limitUsagesOf(usage)} />
            <Facts
              facts={[
                [words.value.screens.plan, <bdi>{usage.plan.name}</bdi>],
                [says.periodStart, <Moment instant={usage.period_start} />],
                [says.periodEnd, <Moment instant={usage.period_end} />],
                [
                  says.shortestInterval,
                  usage.shortest_interval === null
                    ? says.anyInterval
                    : durationOf(usage.shortest_interval, language.value),
                ],
              ]}
            />
            <p class="fine">{says.creditsText}</p>
          </>
        )}
      </LoadedView>
    </>
  );
};
export default UsageScreen;
