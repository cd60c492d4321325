import { ask } from "../../lib/api.ts";
import { useControl } from "../../lib/resource.ts";
import { to } from "../../lib/router.ts";
import type { Client, Key, Keys } from "../../lib/shapes.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Act, ActionForm } from "../../parts/forms.tsx";
import { Panel, Table } from "../../parts/panel.tsx";
import { Show } from "../../parts/states.tsx";

/** The API keys of a client with their claims. */
export const KeyPanel = ({ client: { name: client } }: { readonly client: Client }) => {
  const keys = useControl<Keys>("/keys", "entries");
  return (
    <Panel title="Keys and claims">
      <Show of={keys.value}>
        {(all) => (
          <Table
            label="Keys"
            heads={["Key", "Claims", "Secret", "Does"]}
            wrapping={[1]}
            rows={all.filter((key) => key.client === client).map(rowOf)}
          />
        )}
      </Show>
      <ActionForm
        label="New key"
        done="The key is made; its secret is in the list."
        fields={[
          { name: "name", label: "Name", hint: "bot" },
          { name: "claims", label: "Claims", initial: "read:orders,write:orders", wide: true },
        ]}
        run={({ name = "", claims = "" }) =>
          ask("POST", "/keys", { name, client, claims: claims.split(/[\s,]+/).filter(Boolean) })
        }
      />
    </Panel>
  );
};

const rowOf = ({ name, keyId, secret, claims, state }: Key) => {
  const path = `/keys/${encodeURIComponent(name)}`;
  const enable = (enabled: boolean) => () => ask("POST", path, { enabled });
  return {
    key: name,
    cells: [
      <>
        <b>{name}</b> {state !== "enabled" && <span class="tag bad">{state}</span>}
        <br />
        <span class="mono soft">{keyId}</span>
      </>,
      claims.join(", "),
      <CopyButton text={secret} label={`Copy the secret of ${name}`} />,
      <div class="actions">
        <a class="button small" href={to({ view: "place", query: { key: name } })}>
          Use
        </a>
        {state === "enabled" ? (
          <Act run={enable(false)} done={`${name} is disabled.`}>
            Disable
          </Act>
        ) : (
          <Act run={enable(true)} done={`${name} is enabled.`}>
            Enable
          </Act>
        )}
        <Act
          run={() => ask("POST", `${path}/rotate`, {})}
          done={`${name} has another secret.`}
          sure="Press again to rotate"
        >
          Rotate
        </Act>
      </div>,
    ],
  };
};
