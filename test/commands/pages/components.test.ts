import { suite } from 'uvu';
import { addComponent, removeComponent } from '../../../commands/pages/components.ts';
import { createPage } from '../../../commands/pages/pages.ts';
import { IllegalState, NotFound } from '../../../domain/errors.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { MAX_APPEND_BYTES } from '../../../stores/event-store/port.ts';
import { rejects } from '../../rejects.ts';
import { aContext, startProcess } from '../simulated-processes.ts';

const test = suite('the removal of a group of components');

/** The size of the smallest possible event that moves a component out of its group, in bytes. */
const SMALLEST_EVENT = 500;

test('the removal of a component group with more components than one append can change is refused with instructions', async () => {
  const { bind } = startProcess(createMemoryEventStore('main')).commands;
  const page = await bind(createPage)({ name: 'Acme' }, aContext());
  const group = await bind(addComponent)(page, { name: 'All', group: true }, aContext());
  const add = (name: string) => bind(addComponent)(page, { name, group_id: group }, aContext());
  const most = Math.ceil(MAX_APPEND_BYTES / SMALLEST_EVENT);
  const members: string[] = [];
  for (let count = 0; count < most; count++) members.push(await add(`Server ${count}`));
  const remove = () => bind(removeComponent)(page, group, aContext());
  await rejects(remove(), IllegalState, /too many components to be removed in one request.*group_id to null/);
  for (const id of members.slice(most / 2)) await bind(removeComponent)(page, id, aContext());
  await remove();
  await rejects(remove(), NotFound);
  for (const id of members.slice(0, 10)) await bind(removeComponent)(page, id, aContext());
});

test.run();
