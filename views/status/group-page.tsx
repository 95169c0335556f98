import type { JSX } from 'preact';
import { wordsFor } from '../../messages/words/index.ts';
import { BarShapes } from './bars.tsx';
import { Components, type ComponentsProps, type GroupView } from './components.tsx';
import { isolated } from '../../messages/characters.ts';
import { addressIn, type Frame } from './frame.ts';
import { StatusDocument } from './status-document.tsx';
import { stateOfComponent, StatePill } from './state.tsx';

export interface GroupPageProps {
  frame: Frame;
  group: GroupView;
  components: Omit<ComponentsProps, 'frame' | 'sections'>;
}

/** The page of a component group. */
export const GroupPage = ({ frame, group, components }: GroupPageProps): JSX.Element => {
  const { words, language } = frame;
  return (
    <StatusDocument frame={frame} title={group.name}>
      <BarShapes scale={components.scale} frame={frame} />
      <section class="stack" data-live="group">
        <p>
          <a href={addressIn(frame, '')}>{words.backTo(isolated(frame.name))}</a>
        </p>
        <h1 dir="auto">{group.name}</h1>
        <p>
          <StatePill state={stateOfComponent(group.status)} label={wordsFor(language).componentStatus[group.status]} />
        </p>
        {group.description !== null && group.description !== '' && (
          <p class="description" dir="auto">
            {group.description}
          </p>
        )}
      </section>
      <Components frame={frame} {...components} sections={group.components} />
    </StatusDocument>
  );
};
