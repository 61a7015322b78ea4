// Command berth-scheduler is kube-scheduler with Berth inside: every flag, every default and every
// in-tree plugin is kube-scheduler's own.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register" // --logging-format=json
	"k8s.io/component-base/metrics/legacyregistry"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubernetes/cmd/kube-scheduler/app"

	"berth.dev/plugin/berth"
)

func main() {
	command := app.NewSchedulerCommand(app.WithPlugin(berth.Name, berth.NewFactory(legacyregistry.MustRegister)))
	os.Exit(cli.Run(command))
}
