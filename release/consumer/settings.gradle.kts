rootProject.name = "training"
