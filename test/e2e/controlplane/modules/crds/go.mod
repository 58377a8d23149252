module plimsoll.dev/build/crds

go 1.26.0

require (
	github.com/kubeflow/training-operator v1.9.3
	github.com/ray-project/kuberay/ray-operator v1.5.0
	k8s.io/autoscaler/cluster-autoscaler/apis v0.0.0-20240830133931-adfbe7e45277
	sigs.k8s.io/jobset v0.10.1
	sigs.k8s.io/lws v0.7.0
)
