import { createCheck, deleteCheck, runnableTypes, servedRegions, updateCheck } from './checks.ts';
import { addComponent, removeComponent, updateComponent } from './components.ts';
import type { CommandDependencies } from './dependencies.ts';
import {
  appendUpdate,
  changeIncident,
  deleteIncident,
  editUpdate,
  logPastIncident,
  openIncident,
  removeUpdate,
} from './incidents.ts';
import { executeCheck, executeDefinition } from './jobs.ts';
import {
  bootstrapOrganization,
  changeCreditLimit,
  createApiKey,
  createOrganization,
  revokeApiKey,
} from './organizations.ts';
import { createPageNames } from './page-names.ts';
import { createPage, deletePage, updatePage } from './pages.ts';

/** All commands, bound to their dependencies, by the file that holds them. */
export const createCommands = (dependencies: CommandDependencies) => {
  const pageNames = createPageNames(dependencies.handle);
  return {
    /** A command that stands in no group here, as those that belong to the routes of one resource alone. */
    ask: <C>(command: (dependencies: CommandDependencies) => C): C => command(dependencies),
    organizations: {
      bootstrap: bootstrapOrganization(dependencies),
      create: createOrganization(dependencies),
      changeCreditLimit: changeCreditLimit(dependencies),
    },
    apiKeys: {
      create: createApiKey(dependencies),
      revoke: revokeApiKey(dependencies),
    },
    pages: {
      create: createPage(dependencies, pageNames),
      update: updatePage(dependencies, pageNames),
      remove: deletePage(dependencies, pageNames),
    },
    components: {
      add: addComponent(dependencies),
      update: updateComponent(dependencies),
      remove: removeComponent(dependencies),
    },
    incidents: {
      open: openIncident(dependencies),
      logPast: logPastIncident(dependencies),
      change: changeIncident(dependencies),
      remove: deleteIncident(dependencies),
      appendUpdate: appendUpdate(dependencies),
      editUpdate: editUpdate(dependencies),
      removeUpdate: removeUpdate(dependencies),
    },
    checks: {
      create: createCheck(dependencies),
      update: updateCheck(dependencies),
      remove: deleteCheck(dependencies),
      runnableTypes: runnableTypes(dependencies),
      served: servedRegions(dependencies),
    },
    jobs: {
      executeCheck: executeCheck(dependencies),
      executeDefinition: executeDefinition(dependencies),
    },
  };
};

export type Commands = ReturnType<typeof createCommands>;
