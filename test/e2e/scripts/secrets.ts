import { answered, type Program } from '../program.ts';

/** A secret as the API shows it when it is made. */
interface ShownSecret {
  id: string;
  secret_name: string;
  secret_value?: string;
}

/** A secret, as a client of the API works with it. */
export interface KeptSecret {
  id: string;
  /** Gives it another value. */
  change: (value: string) => Promise<void>;
}

export const createSecret = async (
  program: Program,
  key: string,
  secret_name: string,
  secret_value: string,
): Promise<KeptSecret> => {
  const made = await answered<ShownSecret>(program, key, 201, 'POST', '/v1/secrets', { secret_name, secret_value });
  if ('secret_value' in made) throw new Error('A secret that was made is answered without its value.');
  return {
    id: made.id,
    change: async (value) => {
      await answered(program, key, 200, 'PATCH', `/v1/secrets/${made.id}`, { secret_value: value });
    },
  };
};
