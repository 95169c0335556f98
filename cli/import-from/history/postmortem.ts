import type { HistoryClient } from './client.ts';

/** Publishes a postmortem without notifying anybody. @param path path of the incident */
export const publishPostmortem = async (client: HistoryClient, path: string, text: string): Promise<void> => {
  const notify_subscribers = false;
  await client.write('PUT', `${path}/postmortem`, { body_draft: text, notify_subscribers });
  await client.write('PUT', `${path}/postmortem/publish`, { notify_subscribers });
};
