import type { Explanation } from "../carriers/explanation.js";
import { DEVICE_FORMS, type DeviceForm, type FormCost } from "../message/devices/device-forms.js";

/** @deprecated `FormCost` takes its place, whose `form` this one's `method` is. */
export interface MethodCost extends Omit<FormCost, "form"> {
  readonly method: DeviceForm;
}

/** @deprecated `FormPrediction` takes its place. */
export interface PredictedMethod extends MethodCost {
  readonly messageNs: number;
  readonly totalNs: number;
}

/** @deprecated An `Explanation` takes its place. */
export interface MessagePlan {
  /** "host": its elements are the host's. */
  readonly method: DeviceForm | "host";
  readonly reason: string;
  /** All that could be taken, the quickest first. */
  readonly predicted: readonly PredictedMethod[];
}

/** An explanation in the words that `plan` had. */
export function messagePlan({ isOnDevice, form, reason, answers }: Explanation): MessagePlan {
  if (!isOnDevice) return { method: "host", reason: "elements that the host reaches", predicted: [] };
  const forms = answers.flatMap(({ prediction }) => prediction?.forms ?? []);
  const predicted = forms.flatMap(({ form: method, ...rest }) => (isDeviceForm(method) ? [{ method, ...rest }] : []));
  predicted.sort((a, b) => a.totalNs - b.totalNs);
  const obstacleOf = (name: string, text: string): string => {
    const support = answers.find(({ carrier }) => carrier === name)?.support;
    return support === undefined || support.ok ? "" : `; not ${text}: ${support.reason}`;
  };
  const nccl = obstacleOf("nccl", "by NCCL");
  const why = `${reason}${obstacleOf("ipc", "from GPU to GPU")}${/was not duplicated/.test(nccl) ? "" : nccl}`;
  return { method: isDeviceForm(form) ? form : "host", reason: why, predicted };
}

const isDeviceForm = (form: string): form is DeviceForm => DEVICE_FORMS.some((each) => each === form);
