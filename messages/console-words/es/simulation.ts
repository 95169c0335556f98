import { plurals } from '../../words/plurals.ts';
import type { SimulationWords } from '../words/simulation.ts';

const ofAlerts = plurals('es', { one: 'alerta', other: 'alertas' });
const ofRuns = plurals('es', { one: 'ejecución', other: 'ejecuciones' });

export const simulation: SimulationWords = {
  title: 'Qué se habría activado',
  text: 'Aplica la regla del formulario a los resultados guardados. No se guarda nada ni se avisa a nadie.',
  period: 'Período',
  periods: { week: 'Últimos 7 días', month: 'Últimos 30 días', quarter: 'Últimos 90 días', custom: 'Otro período' },
  from: 'Desde',
  to: 'Hasta',
  run: 'Simular',
  running: 'Simulando',
  count: (alerts, runs) => `${ofAlerts(alerts)} en ${ofRuns(runs)}`,
  truncated: 'Se alcanzó un límite, así que puede haber más alertas. Elija un período más corto.',
  stale: 'El formulario ha cambiado desde esta simulación.',
  invalid: 'El formulario tiene campos no válidos.',
  fired: 'Activada',
  resolved: 'Resuelta',
  stillActive: 'aún activa al final',
  duration: 'Duración',
  check: 'Comprobación',
  results: 'Resultados',
  result: (region) => `Resultado de ${region}`,
};
