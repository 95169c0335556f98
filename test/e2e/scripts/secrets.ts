import { callApiExpecting, type RunningProgram } from '../program.ts';

/** A secret, as in the API's response to its creation. */
interface ShownSecret {
  id: string;
  secret_name: string;
  secret_value?: string;
}

/** A secret, as used by an API client. */
export interface SecretClient {
  id: string;
  /** Changes the value of the secret. */
  change: (value: string) => Promise<void>;
}

export const createSecret = async (
  program: RunningProgram,
  key: string,
  secret_name: string,
  secret_value: string,
): Promise<SecretClient> => {
  const made = await callApiExpecting<ShownSecret>(program, key, 201, 'POST', '/v1/secrets', {
    secret_name,
    secret_value,
  });
  if ('secret_value' in made) throw new Error('The response to a new secret does not contain its value.');
  return {
    id: made.id,
    change: async (value) => {
      await callApiExpecting(program, key, 200, 'PATCH', `/v1/secrets/${made.id}`, { secret_value: value });
    },
  };
};
