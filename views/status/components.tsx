import type { JSX } from 'preact';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import type { Instant } from '../../domain/time.ts';
import { wordsFor } from '../../messages/words/index.ts';
import { Strip, type BarScale, type Bars } from './bars.tsx';
import { addressIn, atSameMoment, type Frame } from './frame.ts';
import { stateOfComponent, StatePill } from './state.tsx';

/** Periods that bars can show. */
export const RANGES = ['24h', '7d', '30d', '90d'] as const;
export type RangeName = (typeof RANGES)[number];

/** The measurements of one region. */
export interface MeasurementView {
  region: string;
  runs: number;
  failed: number;
}

/** The measurements of a check in the last 60 minutes, or of all checks with a tag in the current hour. */
export interface MeasuredView {
  /** start of the measurements; null: an hour ago */
  since: Instant | null;
  regions: readonly MeasurementView[];
}

export interface ComponentView {
  id: string;
  name: string;
  description: string | null;
  status: ComponentStatus;
  /** null: the component does not show uptime data */
  history: { bars: Bars; /** `99.71 % uptime` */ uptime: string } | null;
  /** null: the page does not show measurements, or there is no check */
  measured: MeasuredView | null;
}

export interface GroupView extends Pick<ComponentView, 'id' | 'name' | 'description' | 'status'> {
  components: readonly ComponentView[];
}

/**
 * What a list shows of each component besides its name. `bars`: bars, uptime and state; `uptime`: uptime and state;
 * `state`: only the state.
 */
export type Detail = 'bars' | 'uptime' | 'state';

export interface ComponentsProps {
  frame: Frame;
  detail: Detail;
  range: RangeName;
  scale: BarScale;
  /** groups and components without a group, in the order of the page */
  sections: readonly (GroupView | ComponentView)[];
  /** labels of the start (`from`) and of the end (`until`) of the bars */
  from: string;
  until: string;
}

const isGroup = (section: GroupView | ComponentView): section is GroupView => 'components' in section;

const hasBars = (section: GroupView | ComponentView): boolean =>
  isGroup(section) ? section.components.some(hasBars) : section.history !== null;

/** All components of a page, with their history. */
export const Components = (props: ComponentsProps): JSX.Element => {
  const { frame, detail, range, scale, sections, from, until } = props;
  const { words } = frame;
  const row = (component: ComponentView): JSX.Element => (
    <ComponentRow key={component.id} component={component} frame={frame} scale={detail === 'bars' ? scale : null} />
  );
  return (
    <section class={`components with-${detail}`} data-live="components">
      <header class="section-head">
        <h2>{words.components.title}</h2>
        {detail !== 'state' && sections.length > 0 && <Ranges range={range} frame={frame} />}
      </header>
      {sections.length === 0 && <p class="muted">{words.components.noneYet}</p>}
      {detail === 'bars' && sections.some(hasBars) && (
        <p class={`ends ends-${range}`} aria-hidden="true">
          <span>{from}</span>
          <span>{until}</span>
        </p>
      )}
      <div class="card rows">
        {sections.map((section) =>
          isGroup(section) ? (
            <Group key={section.id} group={section} frame={frame} detail={detail} row={row} />
          ) : (
            row(section)
          ),
        )}
      </div>
    </section>
  );
};

/** Links that select the period of the bars and uptimes. */
const Ranges = ({ range, frame }: { range: RangeName; frame: Frame }): JSX.Element => (
  <nav class="tabs" aria-label={frame.words.components.uptimeTitle}>
    {RANGES.map((name) => (
      <a key={name} href={atSameMoment(frame, `?range=${name}`)} aria-current={name === range ? 'true' : undefined}>
        {frame.words.components.ranges[name]}
      </a>
    ))}
    <a href={addressIn(frame, 'history')}>{frame.words.components.months}</a>
  </nav>
);

const Group = ({
  group,
  frame,
  detail,
  row,
}: {
  group: GroupView;
  frame: Frame;
  detail: Detail;
  row: (component: ComponentView) => JSX.Element;
}): JSX.Element => (
  <details
    class="group"
    open={group.status !== 'operational' || (detail === 'bars' && group.components.length <= FEW)}
    data-key={group.id}
  >
    <summary>
      <span class="name">
        <bdi>{group.name}</bdi> <span class="muted">({group.components.length})</span>
      </span>
      <Status status={group.status} frame={frame} />
    </summary>
    {group.description !== null && (
      <p class="muted description" dir="auto">
        {group.description}
      </p>
    )}
    <div class="members">{group.components.map(row)}</div>
  </details>
);

/**
 * Maximum number of components with which a group is initially expanded, if the group has no problem and the list is
 * not compact. Groups with a problem are always expanded.
 */
const FEW = 8;

const Status = ({ status, frame }: { status: ComponentStatus; frame: Frame }): JSX.Element => (
  <StatePill state={stateOfComponent(status)} label={wordsFor(frame.language).componentStatus[status]} />
);

const ComponentRow = ({
  component,
  frame,
  scale,
}: {
  component: ComponentView;
  frame: Frame;
  /** null: the list has no bars */
  scale: BarScale | null;
}): JSX.Element => {
  const { id, name, description, status, history, measured } = component;
  const { words } = frame;
  return (
    <div class="row" id={id}>
      <div class="row-head">
        <a class="name" href={addressIn(frame, `components/${id}`)} dir="auto">
          {name}
        </a>
        {description !== null && description !== '' && (
          <details class="hint">
            <summary aria-label={words.incidents.details}>?</summary>
            <p dir="auto">{description}</p>
          </details>
        )}
        {history && <span class="uptime">{history.uptime}</span>}
        <Status status={status} frame={frame} />
      </div>
      {measured && <Measured measured={measured} status={status} frame={frame} />}
      {history && scale && <Strip {...history.bars} name={name} scale={scale} />}
    </div>
  );
};

/** The measurements of a component, shown next to its declared status. */
const Measured = ({
  measured: { since, regions },
  status,
  frame,
}: {
  measured: MeasuredView;
  status: ComponentStatus;
  frame: Frame;
}): JSX.Element => {
  const { words, language, times } = frame;
  const { componentStatus, colon } = wordsFor(language);
  return (
    <p class="measured muted">
      {componentStatus[status]} ({words.components.declared}). {words.components.measured}{' '}
      {since === null ? words.components.lastHour : words.components.since(times.moment(since))}
      {colon}
      {regions.length === 0
        ? words.components.noData
        : regions.map(({ region, failed, runs }) => words.components.measuredNow(region, failed, runs)).join('; ')}
    </p>
  );
};
